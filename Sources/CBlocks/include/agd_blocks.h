// Memory for a C library that gets and gives back the same few sizes all the time. Small blocks that a thread gives back
// it keeps for what it asks for next; large ones are kept for all threads: work that has been on one goes on on another,
// and would have its buffers there once more.
//
// glibc's allocator keeps seven blocks of a size for a thread (2.36). Where dozens of transfers get on at a time, most of
// what they give back goes further, is joined with its neighbours and taken apart again, and each buffer of a transfer, as
// a large block, makes it join all the small ones that lie about.
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

// What is kept, in bytes, with what stands in front of each block: of blocks up to 2 KiB by the calling thread, of larger
// ones by all.
size_t agd_small_blocks_kept(void);
size_t agd_large_blocks_kept(void);
extern const size_t agd_small_blocks_kept_at_most;
extern const size_t agd_large_blocks_kept_at_most;
// Gives back what the calling thread keeps, and all large ones. A thread's end gives back what that has kept.
void agd_blocks_let_go(void);

#endif
