#include "machine.h"

#if defined(__linux__)
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static struct faulty_control sound;
struct faulty_control *faulty = &sound;

__attribute__((constructor)) static void connect_control(void) {
  const char *path = getenv("FAULTY_CONTROL");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(struct faulty_control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared != MAP_FAILED) faulty = shared;
  close(fd);
}

/* Set here, because a separate program that sets the limit cannot load a library that needs a sanitizer. */
__attribute__((constructor)) static void limit_files(void) {
  const char *files = getenv("FAULTY_FILES");
  if (!files) return;
  struct rlimit limit = {strtoul(files, NULL, 10), strtoul(files, NULL, 10)};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) faulty_die();
}

void faulty_die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

int faulty_verdict(enum faulty_call call, enum faulty_file file, enum faulty_action *action) {
  if (!(faulty->calls & call) || !(faulty->files & file)) return 0;
  int number = atomic_fetch_add(&faulty->seen, 1), skip = faulty->skip, times = faulty->times;
  if (number < skip || (times >= 0 && number - skip >= times)) return 0;
  atomic_fetch_add(&faulty->failed, 1);
  *action = (enum faulty_action)faulty->action;
  if (*action == faulty_kill && call != faulty_write) faulty_die();
  return faulty->error;
}
#endif
