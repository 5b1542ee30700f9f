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
};

size_t agd_escape_count(void);

// `openat`, or `mmap: executable`: the system call, followed by its variant. Calls of other interfaces begin with
// `i386 ` or `x32 `.
const char *agd_escape_name(size_t index);

// Tries a way. A way that the sandbox closes does not return. The index after the last way writes to every descriptor
// that is not the worker's, and returns the first one that took it, or 0.
//
// Returns the result of the call, at least 0 when it was made with success, and the negative errno otherwise.
long agd_escape(size_t index, const struct agd_escape_place *place);

#endif
