// Memory for a C library that gets and gives back the same few sizes all the time: what a thread gives back it keeps for
// what it asks for next.
//
// glibc's allocator does that for seven blocks of a size (2.36). Where dozens of transfers get on at a time, most of what
// they give back goes further, is joined with its neighbours and taken apart again, and each buffer of a transfer, as a
// large block, makes it join all the small ones that lie about.
//
// Any thread may give back what another has got. Blocks are aligned as malloc's are. One that is given back or resized
// when it was given back before and not given out again, or that is nobody's, ends the process.
#ifndef AGD_BLOCKS_H
#define AGD_BLOCKS_H

#include <stddef.h>

// As malloc, calloc, realloc, free and strdup. None is larger than 4 GiB; 0 bytes are 1.
void *agd_block(size_t bytes);
void *agd_block_zeroed(size_t count, size_t size);
void *agd_block_resized(void *block, size_t bytes);
void agd_block_free(void *block);
char *agd_block_text(const char *text);

// Of the calling thread, in bytes, with what stands in front of each block.
size_t agd_blocks_kept(void);
extern const size_t agd_blocks_kept_at_most;
// Gives back all that the calling thread keeps. A thread's end does so too.
void agd_blocks_let_go(void);

#endif
