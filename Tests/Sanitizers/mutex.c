// Shows the thread sanitizer how Swift's and GLib's mutexes synchronize.
// script/sanitize builds and preloads this library.
//
// On Linux, the uncontended half of Synchronization.Mutex is inlined into its callers, so the sanitizer sees it. The
// contended half is in libswiftSynchronization.so, which is not instrumented. A thread that had to wait for the mutex
// seems never to have acquired it, and the sanitizer reports all accesses under the mutex as races. This library
// forwards both contended calls, and reports the missing acquire and release. It suppresses nothing: an access without
// the mutex is still reported.
//
// GLib's mutex is entirely in its own library. libvips uses it to hand pictures to another thread and back: a thread of
// libvips makes the frames of an animation from the data of a render thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift passes `self` in a dedicated register.
typedef __attribute__((swiftcall)) void LockSlow(uint32_t thread, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void UnlockSlow(__attribute__((swift_context)) void *handle);

// Defined only in programs built with the sanitizer. A preloaded library also reaches every child process.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

LockSlow lock_slow __asm__(LOCK_SLOW);
UnlockSlow unlock_slow __asm__(UNLOCK_SLOW);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *handle) {
  LockSlow *next = (LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW);
  next(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) {
  UnlockSlow *next = (UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(handle);
  next(handle);
}

typedef void UseMutex(void *mutex);
typedef int TryMutex(void *mutex);
typedef void Wait(void *condition, void *mutex);
typedef int WaitUntil(void *condition, void *mutex, int64_t end);

static void acquire(void *mutex) {
  if (__tsan_acquire) __tsan_acquire(mutex);
}

static void release(void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
}

void g_mutex_lock(void *mutex) {
  ((UseMutex *)dlsym(RTLD_NEXT, "g_mutex_lock"))(mutex);
  acquire(mutex);
}

int g_mutex_trylock(void *mutex) {
  int locked = ((TryMutex *)dlsym(RTLD_NEXT, "g_mutex_trylock"))(mutex);
  if (locked) acquire(mutex);
  return locked;
}

void g_mutex_unlock(void *mutex) {
  release(mutex);
  ((UseMutex *)dlsym(RTLD_NEXT, "g_mutex_unlock"))(mutex);
}

// Both functions release the mutex while they wait, and acquire it again afterwards.
void g_cond_wait(void *condition, void *mutex) {
  release(mutex);
  ((Wait *)dlsym(RTLD_NEXT, "g_cond_wait"))(condition, mutex);
  acquire(mutex);
}

int g_cond_wait_until(void *condition, void *mutex, int64_t end) {
  release(mutex);
  int signalled = ((WaitUntil *)dlsym(RTLD_NEXT, "g_cond_wait_until"))(condition, mutex, end);
  acquire(mutex);
  return signalled;
}
