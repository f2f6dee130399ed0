#define _GNU_SOURCE
#include "CHelpers.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Above all descriptors of a spawned process, so that duplicating one of them does not overwrite another.
enum { LEAST_DESCRIPTOR = 16 };

// Moves a descriptor up, and closes the original.
static int moved(int descriptor) {
  if (descriptor < 0) return -1;
  int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
  int reason = errno;
  close(descriptor);
  errno = reason;
  return higher;
}

int mememe_memory_file(const char *name, int can_keep_size) {
#ifdef __linux__
  return moved(memfd_create(name, MFD_CLOEXEC | (can_keep_size ? MFD_ALLOW_SEALING : 0)));
#else
  (void)name, (void)can_keep_size;
  char path[] = "/tmp/mememe-XXXXXX";
  int descriptor = mkstemp(path);
  if (descriptor >= 0) unlink(path);
  return moved(descriptor);
#endif
}

int mememe_open_reader(int descriptor) {
#ifdef __linux__
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return moved(open(path, O_RDONLY | O_CLOEXEC));
#else
  return fcntl(descriptor, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
#endif
}

int mememe_keep_size(int descriptor) {
#ifdef __linux__
  if (mememe_allocate(descriptor, 1) != 0) return -1;
  return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
#else
  (void)descriptor;
  errno = ENOTSUP;
  return -1;
#endif
}

int mememe_allocate(int descriptor, off_t bytes) {
#ifdef __linux__
  int failed;
  do failed = fallocate(descriptor, 0, 0, bytes);
  while (failed && errno == EINTR);
  return failed;
#else
  (void)descriptor, (void)bytes;
  errno = ENOTSUP;
  return -1;
#endif
}

int mememe_free_from(int descriptor, off_t offset) {
#ifdef __linux__
  off_t end = lseek(descriptor, 0, SEEK_END);
  if (end <= offset) return 0;
  int failed;
  do failed = fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, end - offset);
  while (failed && errno == EINTR);
  if (!failed) return 0;
#endif
  return ftruncate(descriptor, offset);
}

const char *mememe_library_file(const char *function) {
  Dl_info library;
  void *address = dlsym(RTLD_DEFAULT, function);
  return address && dladdr(address, &library) ? library.dli_fname : NULL;
}

int mememe_socket_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  ends[0] = moved(ends[0]);
  int reason = errno;
  ends[1] = moved(ends[1]);
  if (ends[0] >= 0 && ends[1] >= 0) {
#ifdef SO_NOSIGPIPE
    int yes = 1;
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    return 0;
  }
  if (ends[0] >= 0) reason = errno;
  for (int end = 0; end < 2; end++)
    if (ends[end] >= 0) close(ends[end]);
  errno = reason;
  return -1;
}

int mememe_spawn(const char *path, char *const arguments[], char *const environment[], const int descriptors[3],
                 int shows_errors, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure) {
    posix_spawn_file_actions_destroy(&actions);
    return failure;
  }
  for (int standard = 0; standard < 2 + !shows_errors && !failure; standard++)
    failure = posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
  for (int index = 0; index < 3 && !failure; index++)
    failure = posix_spawn_file_actions_adddup2(&actions, descriptors[index], MEMEME_HELPER_SOCKET + index);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
  if (shows_errors && !failure) failure = posix_spawn_file_actions_addinherit_np(&actions, 2);
#else
  if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, MEMEME_HELPER_OUTPUT + 1);
#endif
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!failure) failure = posix_spawnattr_setsigmask(&attributes, &none);
  if (!failure) failure = posix_spawnattr_setflags(&attributes, flags);
  if (!failure) failure = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

void mememe_follow_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // By default, the process has the meaningless name of the link through which it was started.
  prctl(PR_SET_NAME, "mememe-draw");
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // If the system runs out of memory, it should kill this process first.
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    if (write(score, "1000", 4) != 4) errno = 0;
    close(score);
  }
  // Prevents other processes of the same user from inspecting this one.
  prctl(PR_SET_DUMPABLE, 0);
#endif
  // A terminal or a service manager sends these signals to all processes. This one exits
  // when the server closes the connection.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
}

static void bound(int resource, rlim_t most) {
  struct rlimit limit = {most, most};
  setrlimit(resource, &limit);
}

#ifdef __GLIBC__
// Defined if a sanitizer replaces the heap of the C library, which is then never initialized.
extern void __tsan_init(void) __attribute__((weak));
extern void __asan_init(void) __attribute__((weak));
#endif

void mememe_give_back_memory(void) {
#ifdef __GLIBC__
  if (!__tsan_init && !__asan_init) malloc_trim(0);
#endif
}

void mememe_bound_process(unsigned long long bytes) {
#ifdef __GLIBC__
  if (__tsan_init || __asan_init) return;
#endif
  bound(RLIMIT_CORE, 0);
  bound(RLIMIT_NOFILE, 64);
  bound(RLIMIT_FSIZE, (rlim_t)bytes);
  bound(RLIMIT_DATA, (rlim_t)bytes);
  // A write beyond the limit fails, and the process continues.
  signal(SIGXFSZ, SIG_IGN);
}

void mememe_keep_freed_memory(void) {
#ifdef __GLIBC__
  if (__tsan_init || __asan_init) return;
  // Keeps pictures above 32 MB as well. Otherwise glibc maps them anew each time,
  // page by page: 15 ms for 12 megapixels.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
  // Otherwise one heap would be kept for each thread of libvips.
  mallopt(M_ARENA_MAX, 2);
#endif
}
