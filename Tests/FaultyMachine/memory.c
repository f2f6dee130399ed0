// Large allocations, which may fail; and the wall clock, which may be off.
#include "machine.h"

#if defined(__linux__)
#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int is_too_large(size_t size) {
  int largest = faulty->largest_allocation;
  if (largest == 0 || size <= (size_t)largest) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return is_too_large(size) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  size_t product;
  if (__builtin_mul_overflow(count, size, &product) || is_too_large(product)) return NULL;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return is_too_large(size) ? NULL : __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  return is_too_large(size) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *result = memalign(alignment, size);
  if (!result) return ENOMEM;
  *memory = result;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += faulty->clock_seconds;
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}
#endif
