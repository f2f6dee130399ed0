// Calls that Swift does not have on every system: processes that get three descriptors and nothing else.
#ifndef MEMEME_HELPERS_H
#define MEMEME_HELPERS_H

#include <sys/types.h>

// The descriptors of a process that draws, in the order of mememe_spawn.
enum { MEMEME_HELPER_SOCKET = 3, MEMEME_HELPER_INPUT = 4, MEMEME_HELPER_OUTPUT = 5 };

// A file of its own in memory, or without a name; -1 with errno.
int mememe_memory_file(const char *name);

// Two ends of a connection between processes, closed by exec; -1 with errno.
int mememe_socket_pair(int ends[2]);

// Starts a program with these three descriptors and, if `shows_errors`, standard error. It has no other.
//
// Returns 0, or what errno would be.
int mememe_spawn(const char *path, char *const arguments[], char *const environment[], const int descriptors[3],
                 int shows_errors, pid_t *process);

// Has the calling process end with the thread that started it, if the system can, and be the first to end if there is no memory
// left. It leaves the signals of a terminal and of a service's manager to the process that started it.
void mememe_follow_parent(void);

// Lets the calling thread, and those that it starts, read what is at these places and below, and open nothing else, nor reach the
// network: by Landlock. Returns whether the kernel does so.
int mememe_confine_files(const char *const readable[], int count);

// Takes from the process all system calls but those that decoding and drawing need once all is loaded: by seccomp. Returns whether
// calls that must not work were tried, and did not.
int mememe_confine_calls(void);

// Whether the file can be opened to be read.
int mememe_reaches(const char *path);

// Bounds what the calling process may have: so many bytes of its own memory, the same of one file, a few descriptors, and no
// file of its memory when it crashes. Unlike the rest it does nothing under a sanitizer, whose own memory is many times that.
void mememe_bound_process(unsigned long long bytes);

// Gives memory that was freed back to the system, as far as the C library can. It takes milliseconds, and a thread that
// allocates in the meantime may wait for it: for times when nothing is to be done.
void mememe_give_back_memory(void);

// Keeps memory that was freed for the next picture, if the C library can be told so: else each picture's pages are asked for anew.
void mememe_keep_freed_memory(void);

#endif
