// Lets idle threads of libvips wait for work forever.
//
// libvips 8.14 and 8.15 end a thread that was idle for 15 seconds. If the thread gets work at that very moment, it is
// freed nevertheless. Then the work is never done and its caller waits forever, or a write into the freed thread
// damages the heap (docs/decisions/0041).
//
// libvips uses this function only for that wait. The definition of the program precedes that of the library, even for
// calls inside the library.
#include <vips/vips.h>

#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
__attribute__((visibility("default"))) int vips_semaphore_down_timeout(
    VipsSemaphore *semaphore, gint64 microseconds) {
  (void)microseconds;
  return vips_semaphore_down(semaphore);
}
#endif
