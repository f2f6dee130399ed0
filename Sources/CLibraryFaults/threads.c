// Idle threads of libvips wait for work for ever.
//
// libvips 8.14 and 8.15 end a thread that had nothing to do for 15 seconds. One that is given work in that very moment is freed
// all the same: the work is never done and whoever waits for it waits for ever, or the heap is damaged by what is written
// into the freed thread (docs/decisions/0041).
//
// The wait is this function, which nothing else calls. The program's own definition stands before the library's, for the
// library too.
#include <vips/vips.h>

#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
__attribute__((visibility("default"))) int vips_semaphore_down_timeout(
    VipsSemaphore *semaphore, gint64 microseconds) {
  (void)microseconds;
  return vips_semaphore_down(semaphore);
}
#endif
