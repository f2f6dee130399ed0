#define _GNU_SOURCE
#include "CHelpers.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Access rights that the headers of Debian 12 do not define.
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#define FS_IOCTL_DEV (1ULL << 15)
#define NET_ALL (1ULL << 0 | 1ULL << 1)
#define SCOPE_ALL (1ULL << 0 | 1ULL << 1)

// The layout of linux/landlock.h since ABI version 6. An older kernel gets only the fields that it knows.
struct ruleset {
  __u64 files;
  __u64 net;
  __u64 scope;
};

static int restrict_files(const char *const readable[], int count) {
  int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  struct ruleset rules = {.files = (1ULL << 13) - 1};
  if (version >= 2) rules.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rules.files |= LANDLOCK_ACCESS_FS_TRUNCATE;
  if (version >= 4) rules.net = NET_ALL;
  if (version >= 5) rules.files |= FS_IOCTL_DEV;
  if (version >= 6) rules.scope = SCOPE_ALL;
  size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(struct ruleset, scope) : offsetof(struct ruleset, net);
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return 0;
  for (int place = 0; place < count; place++) {
    // Skip paths that do not exist.
    int file = open(readable[place], O_PATH | O_CLOEXEC);
    if (file < 0) continue;
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR, .parent_fd = file};
    if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) != 0) {
      // The path is a file, so the right to read folders is invalid.
      beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
      syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    }
    close(file);
  }
  int failed = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(ruleset);
  return failed == 0;
}

#define ALLOWED(...) seccomp_rule_add(filter, SCMP_ACT_ALLOW, __VA_ARGS__)
#define DEADLY(call) seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(call), 0)

// Allows the system calls for decoding, drawing and encoding after all libraries are loaded. Any other call fails with
// ENOSYS: a library then uses an older call, or fails. A call that no decoder has a reason to make kills the process.
static int restrict_calls(void) {
  static const int calls[] = {
      SCMP_SYS(brk),           SCMP_SYS(clock_getres),     SCMP_SYS(clock_gettime),  SCMP_SYS(clock_nanosleep),
      SCMP_SYS(close),         SCMP_SYS(exit),             SCMP_SYS(exit_group),     SCMP_SYS(faccessat),
      SCMP_SYS(faccessat2),    SCMP_SYS(fstat),            SCMP_SYS(fstatfs),        SCMP_SYS(futex),
      SCMP_SYS(getcpu),        SCMP_SYS(getdents64),       SCMP_SYS(getegid),        SCMP_SYS(geteuid),
      SCMP_SYS(getgid),        SCMP_SYS(getpid),           SCMP_SYS(getrandom),      SCMP_SYS(getrusage),
      SCMP_SYS(gettid),        SCMP_SYS(gettimeofday),     SCMP_SYS(getuid),         SCMP_SYS(lseek),
      SCMP_SYS(madvise),       SCMP_SYS(membarrier),       SCMP_SYS(mremap),         SCMP_SYS(munmap),
      SCMP_SYS(nanosleep),     SCMP_SYS(newfstatat),       SCMP_SYS(poll),           SCMP_SYS(ppoll),
      SCMP_SYS(pread64),       SCMP_SYS(read),             SCMP_SYS(readv),          SCMP_SYS(recvfrom),
      SCMP_SYS(restart_syscall), SCMP_SYS(rseq),           SCMP_SYS(rt_sigaction),   SCMP_SYS(rt_sigprocmask),
      SCMP_SYS(rt_sigreturn),  SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
      SCMP_SYS(sched_yield),   SCMP_SYS(set_robust_list),  SCMP_SYS(set_tid_address), SCMP_SYS(sigaltstack),
      SCMP_SYS(statfs),        SCMP_SYS(statx),            SCMP_SYS(sysinfo),        SCMP_SYS(uname),
      SCMP_SYS(access),        SCMP_SYS(readlink),         SCMP_SYS(readlinkat),     SCMP_SYS(stat),
      SCMP_SYS(lstat),         SCMP_SYS(getcwd),           SCMP_SYS(time),           SCMP_SYS(arch_prctl),
  };
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
  if (!filter) return 0;
  int failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t place = 0; place < sizeof calls / sizeof *calls; place++) failed |= ALLOWED(calls[place], 0);
  const scmp_datum_t writes = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  failed |= ALLOWED(SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
#ifdef __NR_open
  failed |= ALLOWED(SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
#endif
  // No memory can become executable.
  failed |= ALLOWED(SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  failed |= ALLOWED(SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  const scmp_datum_t thread = CLONE_THREAD | CLONE_VM | CLONE_SIGHAND;
  failed |= ALLOWED(SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, thread, thread));
  failed |= ALLOWED(SCMP_SYS(pwrite64), 1, SCMP_A0(SCMP_CMP_EQ, MEMEME_HELPER_OUTPUT));
  failed |= ALLOWED(SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO));
  failed |= ALLOWED(SCMP_SYS(sendto), 2, SCMP_A0(SCMP_CMP_EQ, MEMEME_HELPER_SOCKET), SCMP_A4(SCMP_CMP_EQ, 0));
  failed |= ALLOWED(SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_LE, F_GETFL));
  failed |= ALLOWED(SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, F_GET_SEALS));
  failed |= ALLOWED(SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
  failed |= ALLOWED(SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0));
  // Lets the process end itself with a signal.
  failed |= ALLOWED(SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
  failed |= DEADLY(execve) | DEADLY(execveat) | DEADLY(ptrace) | DEADLY(process_vm_readv) | DEADLY(process_vm_writev);
  failed |= DEADLY(bpf) | DEADLY(io_uring_setup) | DEADLY(userfaultfd) | DEADLY(perf_event_open) | DEADLY(keyctl);
  failed |= DEADLY(mount) | DEADLY(unshare) | DEADLY(setns) | DEADLY(pidfd_getfd) | DEADLY(open_by_handle_at);
  if (!failed) failed = seccomp_load(filter);
  seccomp_release(filter);
  return !failed;
}

int mememe_confine_files(const char *const readable[], int count) { return restrict_files(readable, count); }

int mememe_confine_calls(void) {
  // An installed filter is not necessarily in force, so test it.
  if (!restrict_calls()) return 0;
  int end = socket(AF_UNIX, SOCK_STREAM, 0);
  if (end >= 0) close(end);
  void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code != MAP_FAILED) munmap(code, 4096);
  pid_t child = (pid_t)syscall(SYS_getppid);
  return end < 0 && code == MAP_FAILED && child < 0;
}

int mememe_reaches(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) close(file);
  return file >= 0;
}
#else
int mememe_confine_files(const char *const readable[], int count) {
  (void)readable;
  (void)count;
  return 0;
}

int mememe_confine_calls(void) { return 0; }
int mememe_reaches(const char *path) {
  (void)path;
  return 1;
}
#endif
