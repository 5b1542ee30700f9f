#include "agd_blocks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// In front of each block. What is written behind the end of its use does not reach the chain of those that are kept.
struct head {
    _Alignas(max_align_t) uint32_t room;
    uint32_t mark;
    struct head *next;
};
_Static_assert(sizeof(struct head) == _Alignof(max_align_t), "blocks are aligned as their heads are");

enum {
    in_use = 0x75736564,
    kept = 0x6b657074,
    step = 16,
    // Up to these bytes a block has the room of its kind, a multiple of the step; larger ones are of one kind, each with a
    // room of its own.
    most_small = 2048,
    large = most_small / step,
    // A transfer reads 100 KiB at a time at most.
    most_large = 128 * 1024,
    // Large ones that are looked at for one that fits.
    most_tries = 8,
};

const size_t agd_blocks_kept_at_most = 1024 * 1024;

static __thread struct {
    size_t bytes;
    struct head *first[large + 1];
    bool is_looked_after;
    bool is_over;
} shelf;

static size_t kind_of(size_t room) { return room <= most_small ? (room - 1) / step : large; }

// MARK: The end of a thread

static pthread_key_t end;

static void ended(void *unused) {
    (void)unused;
    shelf.is_over = true;
    agd_blocks_let_go();
}

static void make_key(void) {
    if (pthread_key_create(&end, ended)) abort();
}

// Whether the thread's end will be told.
static bool look_after(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (shelf.is_looked_after) return true;
    pthread_once(&once, make_key);
    return shelf.is_looked_after = !pthread_setspecific(end, &shelf);
}

// MARK: Blocks

static void *opened(struct head *head) {
    head->mark = in_use;
    return head + 1;
}

// Out of the chain, from the place that points to it.
static struct head *taken(struct head **place) {
    struct head *head = *place;
    *place = head->next;
    shelf.bytes -= head->room;
    return head;
}

static struct head *found(size_t bytes) {
    if (bytes <= most_small) {
        struct head **first = &shelf.first[kind_of(bytes)];
        return *first ? taken(first) : NULL;
    }
    int tries = 0;
    for (struct head **place = &shelf.first[large]; *place && tries < most_tries; place = &(*place)->next, tries++)
        if ((*place)->room >= bytes && (*place)->room - bytes <= bytes / 4) return taken(place);
    return NULL;
}

void *agd_block(size_t bytes) {
    if (bytes == 0) bytes = 1;
    if (bytes > UINT32_MAX - sizeof(struct head)) return NULL;
    struct head *head = found(bytes);
    if (head) return opened(head);
    size_t room = bytes <= most_small ? (kind_of(bytes) + 1) * step : bytes;
    head = malloc(sizeof *head + room);
    if (!head) return NULL;
    head->room = (uint32_t)room;
    return opened(head);
}

void agd_block_free(void *block) {
    if (!block) return;
    struct head *head = (struct head *)block - 1;
    if (head->mark != in_use) abort();
    head->mark = kept;
    bool has_place = head->room <= most_large && shelf.bytes + head->room <= agd_blocks_kept_at_most;
    if (!has_place || shelf.is_over || !look_after()) {
        free(head);
        return;
    }
    struct head **first = &shelf.first[kind_of(head->room)];
    head->next = *first;
    *first = head;
    shelf.bytes += head->room;
}

void *agd_block_zeroed(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    void *block = agd_block(bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

void *agd_block_resized(void *block, size_t bytes) {
    if (!block) return agd_block(bytes);
    size_t room = ((struct head *)block - 1)->room;
    if (bytes <= room && bytes > room / 2) return block;
    void *other = agd_block(bytes);
    if (!other) return NULL;
    memcpy(other, block, room < bytes ? room : bytes);
    agd_block_free(block);
    return other;
}

char *agd_block_text(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *block = agd_block(bytes);
    return block ? memcpy(block, text, bytes) : NULL;
}

size_t agd_blocks_kept(void) { return shelf.bytes; }

void agd_blocks_let_go(void) {
    for (size_t kind = 0; kind <= large; kind++)
        while (shelf.first[kind]) free(taken(&shelf.first[kind]));
}
