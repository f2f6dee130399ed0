/// A library that injects faults into the one process that loads it with LD_PRELOAD.
///
/// It replaces functions of the C library: calls on the files of one folder, allocations and the clock. The test that
/// started the process controls the faults, through a file that both map into memory.
///
/// Environment:
///   FAULTY_FOLDER   the folder of the files that fail, as the process names it
///   FAULTY_CONTROL  a file of sizeof(struct faulty_control) bytes
///   FAULTY_UNDO     a folder for a log of writes that were not synced, which are undone at the next start
///   FAULTY_KEEP     0 or unset: undo all of them; otherwise a seed that decides it for each sector of each write
#ifndef FAULTY_MACHINE_H
#define FAULTY_MACHINE_H

#include <stdatomic.h>

enum faulty_call {
  faulty_open = 1, faulty_read = 2, faulty_write = 4, faulty_sync = 8, faulty_truncate = 16,
  faulty_link = 32,
};

enum faulty_file {
  faulty_database = 1, faulty_wal = 2, faulty_shm = 4, faulty_journal = 8, faulty_spool = 16, faulty_other = 32,
  faulty_folder = 64,
};

enum faulty_action {
  /// The call fails and has no effect.
  faulty_fail,
  /// A write writes its first half, and then fails.
  faulty_tear,
  /// A sync fails and its data is lost, as if the kernel dropped pages that it could not write.
  faulty_forget,
  /// The process is killed. A write first writes its first half.
  faulty_kill,
};

/// The faults to inject. The test writes all fields except the counters.
struct faulty_control {
  /// The calls (`faulty_call`) and the files (`faulty_file`) that count.
  _Atomic int calls, files;
  /// The first `skip` of them succeed, and then `times` of them fail, or all later ones if `times` is negative.
  _Atomic int skip, times;
  /// A `faulty_action`, and the error number of a failed call.
  _Atomic int action, error;
  /// The number of calls that counted, and how many of them failed.
  _Atomic int seen, failed;
  /// Larger allocations fail; 0 for no limit.
  _Atomic int largest_allocation;
  /// The seconds by which the wall clock is ahead.
  _Atomic int clock_seconds;
  /// The maximum total of allocations of 256 KiB or more; allocations beyond it fail. 0 for no limit.
  _Atomic int large_allocations;
  /// The current total of those allocations, and the number of all failed allocations. Written by the process.
  _Atomic int taken, refused;
};

#endif
