// The internal interface of the faulty machine. Linux only.
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/types.h>

#include "FaultyMachine.h"

/// The faults to inject; never null.
extern struct faulty_control *faulty;

/// Decides the outcome of a call: 0, or the error number that it fails with. Does not return if the process is to be
/// killed, unless the call is a write, which first writes its first half.
int faulty_verdict(enum faulty_call call, enum faulty_file file, enum faulty_action *action);

/// Ends the process like kill -9.
void faulty_die(void);

/// Logs the `length` bytes at `offset` before they are overwritten. Between the two calls of each
/// pair, no other thread writes or syncs.
void undo_before_write(int fd, enum faulty_file file, off_t offset, size_t length);
void undo_after_write(void);
void undo_before_truncate(int fd, enum faulty_file file, off_t size);
void undo_after_truncate(void);
/// Logs that a name is new. A sync of the folder makes it permanent.
void undo_created(const char *path);
void undo_before_sync(void);
void undo_after_sync(enum faulty_file file, int succeeded);
/// Undoes unsynced writes at once.
void undo_forget(int fd, enum faulty_file file);
