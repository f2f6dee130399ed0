// What the parts of the faulty machine know of each other. Linux only.
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/types.h>

#include "FaultyMachine.h"

/// What is to fail; never null.
extern struct faulty_control *faulty;

/// What becomes of a call: 0, or the error number that it fails with. Does not return where the process is to be
/// killed, unless the call is a write, which has its first half to do.
int faulty_verdict(enum faulty_call call, enum faulty_file file, enum faulty_action *action);

/// Ends the process as kill -9 does.
void faulty_die(void);

/// Remembers what `length` bytes at `offset` are before they are written. Between the two calls of each pair nothing
/// else is written or synced.
void undo_before_write(int fd, enum faulty_file file, off_t offset, size_t length);
void undo_after_write(void);
void undo_before_truncate(int fd, enum faulty_file file, off_t size);
void undo_after_truncate(void);
/// Remembers that a name is new; a sync of the folder makes it last.
void undo_created(const char *path);
void undo_before_sync(void);
void undo_after_sync(enum faulty_file file, int succeeded);
/// Undoes now what was not synced.
void undo_forget(int fd, enum faulty_file file);
