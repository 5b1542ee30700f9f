// Attempts to escape from a worker's sandbox. An attacker would make these calls after a file has taken over a decoder.
#ifndef AGD_ESCAPE_CALLS_H
#define AGD_ESCAPE_CALLS_H

#include <stddef.h>

// The files and descriptors that an escape may use.
struct agd_escape_place {
    // A directory that the worker's user can write to, with the file "canary" in it.
    const char *directory;
    // The descriptor of the job's input, open for reading.
    int input;
    // The descriptors of the job's outputs, from the first to the last, open for reading and writing.
    int output, last_output;
    // A TCP port on the loopback interface that has a listener.
    int port;
    // The process that started the worker. It counts SIGURG.
    int parent;
};

size_t agd_escape_count(void);

// Returns the name of an escape, such as `openat` or `mmap: executable`: the system call, followed by its variant. The
// names for other system call interfaces begin with `i386 ` or `x32 `.
const char *agd_escape_name(size_t index);

// Tries an escape. The function does not return if the sandbox prevents the escape. Two escapes make only allowed
// calls. "writes" writes to each descriptor that is not the worker's. Its result is the first descriptor that was
// changed, or 0. "memory" allocates more memory than the worker may have. Its result is 0 if the limits hold, otherwise
// the size in MiB or the number of the call.
//
// - result: the result of the system call, or its negative errno if it failed.
// Returns 0, or -1 if there is no escape with this name.
int agd_escape(const char *name, const struct agd_escape_place *place, long *result);

// Makes the calling process count the signals SIGURG, which then have no other effect.
void agd_count_signals(void);
int agd_counted_signals(void);

#endif
