// System calls that Swift does not offer on every system, for processes that get only three descriptors.
#ifndef MEMEME_HELPERS_H
#define MEMEME_HELPERS_H

#include <sys/types.h>

// The descriptors of a helper process, in the order of mememe_spawn.
enum { MEMEME_HELPER_SOCKET = 3, MEMEME_HELPER_INPUT = 4, MEMEME_HELPER_OUTPUT = 5 };

// Creates a file without a name, in memory if possible. Returns its descriptor, or -1 with errno. If not
// `can_keep_size`, mememe_keep_size fails for it.
int mememe_memory_file(const char *name, int can_keep_size);

// Opens a file in memory again, only for reading if the system can do this. Returns a descriptor, or -1 with errno.
int mememe_open_reader(int descriptor);

// Prevents everyone from shortening a file in memory, which would end a process that writes to its mapping. Returns 0,
// or -1 with errno if the system cannot do this, or cannot allocate memory in advance.
int mememe_keep_size(int descriptor);

// Allocates the memory of the first `bytes` bytes of a file in memory. Otherwise, a write to a mapping ends the
// process if there is no memory. Returns 0, or -1 with errno.
int mememe_allocate(int descriptor, off_t bytes);

// Returns the memory of a file from `offset` on to the system. Its bytes are then 0, or it ends at `offset`. Returns 0,
// or -1 with errno.
int mememe_free_from(int descriptor, off_t offset);

// The file of the library that a function is in; NULL if there is no such function.
const char *mememe_library_file(const char *function);

// Creates a connected pair of sockets, which are closed on exec. Returns 0, or -1 with errno.
int mememe_socket_pair(int ends[2]);

// Starts a program with these three descriptors and, if `shows_errors`, standard error. It gets no others.
//
// Returns 0 or an error number.
int mememe_spawn(const char *path, char *const arguments[], char *const environment[], const int descriptors[3],
                 int shows_errors, pid_t *process);

// Makes the calling process end with the thread that started it, if the system supports that, and makes
// it the first that the system kills when memory runs out. Ignores the signals of a terminal and of a
// service manager, which the parent handles.
void mememe_follow_parent(void);

// Restricts the calling thread, and threads that it starts, with Landlock: they can only read files at and below these
// paths, and cannot reach the network. Returns whether the kernel enforces this.
int mememe_confine_files(const char *const readable[], int count);

// Restricts the process with seccomp to the system calls that decoding and drawing need after everything is loaded.
// Returns whether forbidden calls were tested and failed.
int mememe_confine_calls(void);

// Whether the file can be opened for reading.
int mememe_reaches(const char *path);

// Limits the calling process: `bytes` for its own memory and for each file, few descriptors, and no core dumps. Does
// nothing under a sanitizer, whose own memory is many times that.
void mememe_bound_process(unsigned long long bytes);

// Returns freed memory to the system, as far as the C library supports it. This takes milliseconds and can block
// threads that allocate, so call it when idle.
void mememe_give_back_memory(void);

// Keeps freed memory for the next picture, if the C library supports it. Otherwise the system
// maps the pages of each picture anew.
void mememe_keep_freed_memory(void);

#endif
