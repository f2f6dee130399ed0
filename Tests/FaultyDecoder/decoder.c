// A decoder that fails for pictures of certain widths: like one that a picture has
// taken over, or one that never returns.
#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

typedef int Start(void *decoder);
typedef int Decompress(
    void *handle, const unsigned char *file, unsigned long size, unsigned char *pixels, int width, int pitch,
    int height, int format, int flags);

// Installs a filter of system calls around the process, as services and containers do. Filtered calls fail with EPERM.
__attribute__((constructor)) static void go_inside(void) {
  const char *outside = getenv("FAULTY_OUTSIDE");
  if (!outside) return;
  // For "all", forbid seccomp and Landlock, otherwise only Landlock.
  unsigned first = strcmp(outside, "all") == 0 ? SYS_seccomp : SYS_landlock_restrict_self;
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SYS_landlock_create_ruleset, 0, 1),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SYS_landlock_restrict_self, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) abort();
}

// Reads image_width of libjpeg's jpeg_decompress_struct, which follows five pointers and two integers.
static unsigned width(const void *decoder) {
  unsigned value;
  memcpy(&value, (const char *)decoder + 5 * sizeof(void *) + 2 * sizeof(int), sizeof value);
  return value;
}

static void fill_memory(void) {
  for (;;) {
    volatile char *memory = malloc(64 << 20);
    if (!memory) abort();
    for (size_t place = 0; place < 64 << 20; place += 4096) memory[place] = 1;
  }
}

// Writes beyond the end of its answer, until a write fails.
static void write_on(void) {
  static const char bytes[1 << 20];
  while (write(5, bytes, sizeof bytes) > 0) {
  }
  abort();
}

static int opens(const char *path, int flags) { return open(path, flags, 0600) >= 0; }

// Tries an operation that no decoder has a reason to perform. Returns whether it succeeded.
static int escapes(unsigned way) {
  char byte = 0;
  struct iovec piece = {&byte, 1};
  struct rlimit limit = {1, 1};
  int ends[2];
  void *memory;
  pid_t child;
  switch (way) {
    case 0: return opens("/etc/passwd", O_RDONLY);
    case 1: return opens("/etc/group", O_RDONLY);
    case 2: return opens("/", O_RDONLY | O_DIRECTORY);
    case 3: return opens("/tmp/mememe-escape", O_WRONLY | O_CREAT);
    case 4: return opens("/tmp", O_WRONLY | O_TMPFILE);
    case 5: return unlink("/tmp/mememe-escape") == 0;
    case 6: return socket(AF_INET, SOCK_STREAM, 0) >= 0;
    case 7: return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    case 8: return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
    case 9:
      child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
      if (child == 0) _exit(0);
      return child > 0;
    case 10:
      return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    case 11:
      memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      return mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0;
    case 12: return kill(getpid(), 0) == 0;
    case 13: return chdir("/") == 0;
    case 14: return prctl(PR_SET_DUMPABLE, 1) == 0;
    case 15: return setrlimit(RLIMIT_CORE, &limit) == 0 || setrlimit(RLIMIT_NOFILE, &limit) == 0;
    case 16: return inotify_init() >= 0;
    case 17: return eventfd(0, 0) >= 0;
    case 18: return memfd_create("escape", 0) >= 0;
    case 19: return personality(0xffffffff) >= 0;
    case 20: return setuid(getuid()) == 0;
    case 21: return syscall(SYS_pidfd_open, getpid(), 0) >= 0;
    // The filter kills the process for each of the following cases.
    case 30: return execl("/bin/true", "true", (char *)NULL) == 0;
    case 31: return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;
    case 32: return process_vm_readv(getpid(), &piece, 1, &piece, 1, 0) == 1;
    case 33: return unshare(CLONE_FILES) == 0;
    default: return 0;
  }
}

// Fails in a way that depends on the width of the picture.
static int fail(unsigned width) {
  volatile int zero = 0;
  volatile int *nothing = NULL;
  switch (width) {
    case 661: *nothing = 1; break;
    case 662: abort();
    case 663: return 1 / zero;
    case 664:
      for (;;) zero++;
    case 665:
      for (;;) sleep(3600);
    case 666: fill_memory(); break;
    case 667: write_on(); break;
    // Exits as if all were well, in the middle of a job.
    case 668: _exit(0);
    default:
      if (width >= 700 && width < 740 && escapes(width - 700)) _exit(0);
  }
  return 0;
}

// libvips decodes with libjpeg.
__attribute__((visibility("default"))) int jpeg_start_decompress(void *decoder) {
  if (fail(width(decoder))) abort();
  return ((Start *)dlsym(RTLD_NEXT, "jpeg_start_decompress"))(decoder);
}

// libturbojpeg has its own copy of libjpeg.
__attribute__((visibility("default"))) int tjDecompress2(
    void *handle, const unsigned char *file, unsigned long size, unsigned char *pixels, int width, int pitch,
    int height, int format, int flags) {
  if (fail((unsigned)width)) abort();
  return ((Decompress *)dlsym(RTLD_NEXT, "tjDecompress2"))(
      handle, file, size, pixels, width, pitch, height, format, flags);
}
#endif
