/// A machine that fails as it is told, for the one process that loads it with LD_PRELOAD.
///
/// It stands between the process and the C library: calls on the files of one folder, allocations and the clock. The
/// test that started the process tells it when to fail, through a file that both have in memory.
///
/// Environment:
///   FAULTY_FOLDER   the folder whose files it is about, as the process names it
///   FAULTY_CONTROL  a file of sizeof(struct faulty_control) bytes
///   FAULTY_UNDO     a folder: writes that were not synced are remembered there, and undone at the next start
///   FAULTY_KEEP     0, or left out: all of them are undone; else the seed of a coin for each sector of each
#ifndef FAULTY_MACHINE_H
#define FAULTY_MACHINE_H

#include <stdatomic.h>

enum faulty_call {
  faulty_open = 1, faulty_read = 2, faulty_write = 4, faulty_sync = 8, faulty_truncate = 16,
};

enum faulty_file {
  faulty_database = 1, faulty_wal = 2, faulty_shm = 4, faulty_journal = 8, faulty_spool = 16, faulty_other = 32,
  faulty_folder = 64,
};

enum faulty_action {
  /// The call fails and does nothing.
  faulty_fail,
  /// A write does its first half, and fails.
  faulty_tear,
  /// A sync fails, and what it should have kept is gone: as where the kernel drops pages that it could not write.
  faulty_forget,
  /// The process is killed; a write does its first half before.
  faulty_kill,
};

/// What is to fail. Written by the test, but for what counts.
struct faulty_control {
  /// The calls (`faulty_call`) that count, on which files (`faulty_file`).
  _Atomic int calls, files;
  /// So many of them succeed, and then so many fail; all later ones where it is negative.
  _Atomic int skip, times;
  /// `faulty_action`, and the error number of what fails.
  _Atomic int action, error;
  /// How many counted, and how many of these failed.
  _Atomic int seen, failed;
  /// Larger allocations fail; 0 is no limit.
  _Atomic int largest_allocation;
  /// How far the wall clock is ahead of its time.
  _Atomic int clock_seconds;
  /// Allocations of 256 KiB or more fail beyond so many bytes of all of them together; 0 is no limit.
  _Atomic int large_allocations;
  /// What those have now, and how many of all allocations failed. Written by the process.
  _Atomic int taken, refused;
};

#endif
