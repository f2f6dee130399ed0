// Replacements for the file functions. The real work uses system calls, because
// these functions replace the C library's.
#include "machine.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { descriptors = 65536 };
/// The kind of each open descriptor; 0 for a file that is not under test.
static _Atomic unsigned char kinds[descriptors];

static enum faulty_file kind(int fd) {
  return fd >= 0 && fd < descriptors ? (enum faulty_file)kinds[fd] : 0;
}

static int ends(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static enum faulty_file kind_of_path(const char *path) {
  const char *folder = getenv("FAULTY_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  if (length == 0 || strncmp(path, folder, length) != 0) return 0;
  if (path[length] == 0) return faulty_folder;
  if (path[length] != '/') return 0;
  if (ends(path, ".db")) return faulty_database;
  if (ends(path, ".db-wal")) return faulty_wal;
  if (ends(path, ".db-shm")) return faulty_shm;
  if (ends(path, ".db-journal")) return faulty_journal;
  return strncmp(path + length + 1, "upload-", 7) == 0 ? faulty_spool : faulty_other;
}

static int fail(int error) {
  errno = error;
  return -1;
}

static int opened(int fd, enum faulty_file file) {
  if (fd >= 0 && fd < descriptors) kinds[fd] = (unsigned char)file;
  return fd;
}

static int open_file(const char *path, int flags, mode_t mode) {
  enum faulty_file file = kind_of_path(path);
  enum faulty_action action;
  int error = file ? faulty_verdict(faulty_open, file, &action) : 0;
  if (error) return fail(error);
  int is_new = file && (flags & O_CREAT) && faccessat(AT_FDCWD, path, F_OK, 0) != 0;
  int fd = opened((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), file);
  if (is_new && fd >= 0) undo_created(path);
  return fd;
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(path, flags, mode);
}

int mkstemp(char *template) {
  enum faulty_file file = kind_of_path(template);
  enum faulty_action action;
  int error = file ? faulty_verdict(faulty_open, file, &action) : 0;
  if (error) return fail(error);
  int (*real)(char *) = (int (*)(char *))dlsym(RTLD_NEXT, "mkstemp");
  return opened(real(template), file);
}

int link(const char *from, const char *to) {
  enum faulty_file file = kind_of_path(to);
  enum faulty_action action;
  int error = file ? faulty_verdict(faulty_link, file, &action) : 0;
  if (error) return fail(error);
  int result = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0 && file) undo_created(to);
  return result;
}

int close(int fd) {
  if (fd >= 0 && fd < descriptors) kinds[fd] = 0;
  return (int)syscall(SYS_close, fd);
}

ssize_t pread(int fd, void *memory, size_t length, off_t offset) {
  enum faulty_file file = kind(fd);
  enum faulty_action action;
  int error = file ? faulty_verdict(faulty_read, file, &action) : 0;
  if (error) return fail(error);
  return syscall(SYS_pread64, fd, memory, length, offset);
}

ssize_t pread64(int fd, void *memory, size_t length, off_t offset) {
  return pread(fd, memory, length, offset);
}

/// - Parameter offset: negative to use the file's own position.
static ssize_t write_file(int fd, const void *memory, size_t length, off_t offset) {
  enum faulty_file file = kind(fd);
  enum faulty_action action = faulty_fail;
  int error = file ? faulty_verdict(faulty_write, file, &action) : 0;
  if (error && action != faulty_tear && action != faulty_kill) return fail(error);
  if (error) length /= 2;
  if (file && offset >= 0) undo_before_write(fd, file, offset, length);
  ssize_t result = offset < 0 ? syscall(SYS_write, fd, memory, length)
                              : syscall(SYS_pwrite64, fd, memory, length, offset);
  if (error && action == faulty_kill) faulty_die();
  int real = errno;
  if (file && offset >= 0) undo_after_write();
  errno = real;
  return error ? fail(error) : result;
}

ssize_t write(int fd, const void *memory, size_t length) {
  return write_file(fd, memory, length, -1);
}

ssize_t pwrite(int fd, const void *memory, size_t length, off_t offset) {
  return write_file(fd, memory, length, offset);
}

ssize_t pwrite64(int fd, const void *memory, size_t length, off_t offset) {
  return write_file(fd, memory, length, offset);
}

static int sync_file(int fd, long call) {
  enum faulty_file file = kind(fd);
  if (!file) return (int)syscall(call, fd);
  enum faulty_action action;
  int error = faulty_verdict(faulty_sync, file, &action);
  if (error) {
    if (action == faulty_forget) undo_forget(fd, file);
    return fail(error);
  }
  undo_before_sync();
  int result = (int)syscall(call, fd), real = errno;
  undo_after_sync(file, result == 0);
  errno = real;
  return result;
}

int fsync(int fd) { return sync_file(fd, SYS_fsync); }

int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

int ftruncate(int fd, off_t size) {
  enum faulty_file file = kind(fd);
  if (!file) return (int)syscall(SYS_ftruncate, fd, size);
  enum faulty_action action;
  int error = faulty_verdict(faulty_truncate, file, &action);
  if (error) return fail(error);
  undo_before_truncate(fd, file, size);
  int result = (int)syscall(SYS_ftruncate, fd, size), real = errno;
  undo_after_truncate();
  errno = real;
  return result;
}

int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }
#endif
