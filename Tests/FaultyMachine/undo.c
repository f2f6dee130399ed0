// Simulates a loss of power: logs unsynced writes and undoes them.
//
// Before each write, the data that it overwrites goes into a separate log. A sync empties the log. The
// writes that are still in the log at the next start were never synced, so the machine may have lost all of
// them, or any part of them, in any order.
#include "machine.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { sector = 4096 };
/// A write of `extent` bytes. The `length` bytes that it overwrote follow; the rest was beyond the end of the file.
struct entry {
  int64_t offset, extent, length, old_size;
};

static struct log {
  enum faulty_file file;
  const char *name, *suffix;
  int fd;
} logs[] = {
    {faulty_database, "database", "mememe.db", -1},
    {faulty_wal, "wal", "mememe.db-wal", -1},
    {faulty_journal, "journal", "mememe.db-journal", -1},
    {faulty_folder, "created", NULL, -1},
};
enum { log_count = sizeof logs / sizeof *logs };

/// The C library's own functions, because the replacements may fail and count.
void *__libc_malloc(size_t);
void __libc_free(void *);

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int is_on;

static struct log *log_of(enum faulty_file file) {
  if (!is_on) return NULL;
  for (int i = 0; i < log_count; i++)
    if (logs[i].file == file) return &logs[i];
  return NULL;
}

static int open_raw(const char *path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
}

/// Logs the bytes that a write of `extent` bytes is about to overwrite.
static void remember(int fd, enum faulty_file file, off_t offset, off_t extent) {
  struct log *log = log_of(file);
  struct stat status;
  if (!log || fstat(fd, &status) != 0) return;
  off_t length = offset + extent > status.st_size ? status.st_size - offset : extent;
  if (length < 0) length = 0;
  struct entry entry = {offset, extent, length, status.st_size};
  char *old = __libc_malloc((size_t)length + 1);
  if (!old || syscall(SYS_pread64, fd, old, length, offset) != length) faulty_die();
  struct iovec pieces[] = {{&entry, sizeof entry}, {old, (size_t)length}};
  if (writev(log->fd, pieces, 2) != (ssize_t)sizeof entry + length) faulty_die();
  __libc_free(old);
}

static int is_kept(uint64_t seed, uint64_t entry, uint64_t place) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + entry * 0xBF58476D1CE4E5B9u + place * 0x94D049BB133111EBu;
  x ^= x >> 31;
  x *= 0xD6E8FEB86659FD93u;
  return (x >> 32) & 1;
}

/// Undoes the writes in the log, the latest first: all of them, or the sectors that the seed selects.
static void undo(struct log *log, int fd, uint64_t seed) {
  struct stat status;
  if (fstat(log->fd, &status) != 0 || status.st_size == 0) return;
  char *all = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, log->fd, 0);
  if (all == MAP_FAILED) faulty_die();
  size_t count = 0, capacity = 0;
  char **entries = NULL;
  // An incomplete entry belongs to a write that was not made.
  for (off_t at = 0; at + (off_t)sizeof(struct entry) <= status.st_size;) {
    struct entry *entry = (struct entry *)(all + at);
    if (at + (off_t)sizeof *entry + entry->length > status.st_size) break;
    if (count == capacity) entries = realloc(entries, (capacity = 2 * capacity + 64) * sizeof *entries);
    if (!entries) faulty_die();
    entries[count++] = all + at;
    at += (off_t)sizeof *entry + entry->length;
  }
  while (count-- > 0) {
    struct entry entry;
    memcpy(&entry, entries[count], sizeof entry);
    for (int64_t at = 0; at < entry.extent; at += sector) {
      char old[sector] = {0};
      int64_t size = entry.extent - at < sector ? entry.extent - at : sector;
      if (seed && is_kept(seed, count, (uint64_t)at)) continue;
      if (at < entry.length)
        memcpy(old, entries[count] + sizeof entry + at,
               (size_t)(entry.length - at < size ? entry.length - at : size));
      syscall(SYS_pwrite64, fd, old, (size_t)size, entry.offset + at);
    }
    if (!seed) syscall(SYS_ftruncate, fd, entry.old_size);
  }
  free(entries);
  munmap(all, (size_t)status.st_size);
  syscall(SYS_ftruncate, log->fd, 0);
}

static void undo_names(struct log *log) {
  FILE *names = fdopen(dup(log->fd), "r");
  char *line = NULL;
  size_t capacity = 0;
  rewind(names);
  for (ssize_t length; (length = getline(&line, &capacity, names)) > 0;) {
    line[length - 1] = 0;
    unlink(line);
  }
  free(line);
  fclose(names);
  syscall(SYS_ftruncate, log->fd, 0);
}

/// Starts the machine after a loss of power.
__attribute__((constructor)) static void start(void) {
  const char *folder = getenv("FAULTY_UNDO"), *data = getenv("FAULTY_FOLDER"), *keep = getenv("FAULTY_KEEP");
  if (!folder || !data) return;
  uint64_t seed = keep ? strtoull(keep, NULL, 10) : 0;
  char path[4096];
  for (int i = 0; i < log_count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, logs[i].name);
    logs[i].fd = open_raw(path, O_RDWR | O_CREAT | O_APPEND);
    if (logs[i].fd < 0) faulty_die();
    if (!logs[i].suffix) continue;
    snprintf(path, sizeof path, "%s/%s", data, logs[i].suffix);
    int fd = open_raw(path, O_RDWR);
    if (fd >= 0) undo(&logs[i], fd, seed);
    if (fd >= 0) syscall(SYS_close, fd);
    syscall(SYS_ftruncate, logs[i].fd, 0);
  }
  // A name may survive the loss of power too: with a seed, all of them do.
  is_on = 1;
  if (!seed) undo_names(log_of(faulty_folder));
}

void undo_before_write(int fd, enum faulty_file file, off_t offset, size_t length) {
  pthread_mutex_lock(&turn);
  remember(fd, file, offset, (off_t)length);
}

void undo_after_write(void) { pthread_mutex_unlock(&turn); }

void undo_before_truncate(int fd, enum faulty_file file, off_t size) {
  pthread_mutex_lock(&turn);
  struct stat status;
  if (fstat(fd, &status) == 0 && status.st_size > size) remember(fd, file, size, status.st_size - size);
}

void undo_after_truncate(void) { pthread_mutex_unlock(&turn); }

void undo_created(const char *path) {
  struct log *log = log_of(faulty_folder);
  if (log) dprintf(log->fd, "%s\n", path);
}

void undo_before_sync(void) { pthread_mutex_lock(&turn); }

void undo_after_sync(enum faulty_file file, int succeeded) {
  struct log *log = log_of(file);
  if (log && succeeded) syscall(SYS_ftruncate, log->fd, 0);
  pthread_mutex_unlock(&turn);
}

void undo_forget(int fd, enum faulty_file file) {
  struct log *log = log_of(file);
  pthread_mutex_lock(&turn);
  if (log) undo(log, fd, 0);
  pthread_mutex_unlock(&turn);
}
#endif
