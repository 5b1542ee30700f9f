// Ways out of a worker's sandbox: what a decoder that a file has taken over would try.
#ifndef AGD_ESCAPE_CALLS_H
#define AGD_ESCAPE_CALLS_H

#include <stddef.h>

// The files and descriptors that a way may use.
struct agd_escape_place {
    // A directory that the worker's user can write to, with the file "canary" in it.
    const char *directory;
    // Open for reading: the job's input.
    int input;
    // Open for reading and writing: the job's outputs, from the first to the last.
    int output, last_output;
    // A TCP port on loopback that is listened on.
    int port;
    // The process that started the worker. It counts SIGURG.
    int parent;
};

size_t agd_escape_count(void);

// `openat`, or `mmap: executable`: the system call, followed by its variant. Calls of other interfaces begin with
// `i386 ` or `x32 `.
const char *agd_escape_name(size_t index);

// Tries a way. A way that the sandbox closes does not return. Two ways make allowed calls and have no number. "writes"
// writes to every descriptor that is not the worker's; its result is the first one that took it, or 0. "memory" takes
// more memory than the worker may have; its result is 0 when it got no more, else MiB or the number of the call.
//
// - result: that of the call, at least 0 when it was made with success, and the negative errno otherwise.
// Returns 0, or -1 when there is no such way.
int agd_escape(const char *name, const struct agd_escape_place *place, long *result);

// The calling process counts SIGURG from now on, which has no other effect.
void agd_count_signals(void);
int agd_counted_signals(void);

#endif
