// Allocations that can fail if they are large, and a wall clock that can be wrong.
#include "machine.h"

#if defined(__linux__)
#include <errno.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

/// Blocks of at least this size count toward the limit on their total.
enum { large = 256 << 10 };
/// The current total of such blocks.
static _Atomic long taken;

static void *refused(void) {
  atomic_fetch_add(&faulty->refused, 1);
  errno = ENOMEM;
  return NULL;
}

static int is_too_large(size_t size) {
  int largest = faulty->largest_allocation;
  return largest && size > (size_t)largest;
}

/// Reserves room for a block of this size.
///
/// - Returns: whether there was room.
static int take(size_t size) {
  if (size < large) return 1;
  long sum = atomic_fetch_add(&taken, (long)size) + (long)size, most = faulty->large_allocations;
  if (most && sum > most) {
    atomic_fetch_sub(&taken, (long)size);
    return 0;
  }
  faulty->taken = (int)sum;
  return 1;
}

static void give(size_t size) {
  if (size >= large) faulty->taken = (int)(atomic_fetch_sub(&taken, (long)size) - (long)size);
}

/// Reserves room for a new block. Frees the block if there is no room.
static void *counted(void *memory) {
  if (!memory || take(malloc_usable_size(memory))) return memory;
  __libc_free(memory);
  return refused();
}

void *malloc(size_t size) { return is_too_large(size) ? refused() : counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) {
  size_t product;
  if (__builtin_mul_overflow(count, size, &product) || is_too_large(product)) return refused();
  return counted(__libc_calloc(count, size));
}

void free(void *memory) {
  if (!memory) return;
  give(malloc_usable_size(memory));
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  if (!memory) return malloc(size);
  if (size == 0) {
    free(memory);
    return NULL;
  }
  size_t before = malloc_usable_size(memory);
  if (is_too_large(size) || (size > before && !take(size))) return refused();
  void *result = __libc_realloc(memory, size);
  if (size > before) give(size);
  if (!result) return NULL;
  give(before);
  // No more than the room just released, except for the C library's rounding.
  size_t after = malloc_usable_size(result);
  if (after >= large) faulty->taken = (int)(atomic_fetch_add(&taken, (long)after) + (long)after);
  return result;
}

void *memalign(size_t alignment, size_t size) {
  return is_too_large(size) ? refused() : counted(__libc_memalign(alignment, size));
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
