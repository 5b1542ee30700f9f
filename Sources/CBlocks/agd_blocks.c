#include "agd_blocks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// In front of each block: what is written behind the end of its use does not reach the chain of those that are kept.
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
    // Up to these bytes a block has the room of its kind, a multiple of the step.
    most_small = 2048,
    small_kinds = most_small / step,
    // Larger ones have a room of their own: up to 4 KiB, 8 KiB and so on to 128 KiB. A transfer reads 100 KiB at a time
    // at most.
    kinds = small_kinds + 6,
    // Large ones that are looked at for one that fits.
    most_tries = 8,
};

const size_t agd_blocks_kept_at_most = 512 * 1024;

static __thread struct {
    size_t bytes;
    struct head *first[kinds];
    bool is_looked_after;
    bool is_over;
} shelf;

// `kinds` of what is never kept.
static size_t kind_of(size_t room) {
    if (room <= most_small) return (room - 1) / step;
    size_t kind = small_kinds;
    for (size_t most = 2 * most_small; kind < kinds && room > most; most *= 2) kind++;
    return kind;
}

static size_t size_of(const struct head *head) { return sizeof *head + head->room; }

// MARK: The end of a thread

static pthread_key_t end;
static bool has_end;

static void ended(void *unused) {
    (void)unused;
    shelf.is_over = true;
    agd_blocks_let_go();
}

static void make_key(void) { has_end = !pthread_key_create(&end, ended); }

// Whether the thread's end will be told.
static bool look_after(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (shelf.is_looked_after) return true;
    pthread_once(&once, make_key);
    return shelf.is_looked_after = has_end && !pthread_setspecific(end, &shelf);
}

// MARK: What is kept

// Out of the chain, from the place that points to it.
static struct head *taken(struct head **place) {
    struct head *head = *place;
    *place = head->next;
    shelf.bytes -= size_of(head);
    return head;
}

static struct head *found(size_t bytes) {
    size_t kind = kind_of(bytes);
    if (kind < small_kinds) return shelf.first[kind] ? taken(&shelf.first[kind]) : NULL;
    if (kind == kinds) return NULL;
    int tries = 0;
    for (struct head **place = &shelf.first[kind]; *place && tries < most_tries; place = &(*place)->next, tries++)
        if ((*place)->room >= bytes) return taken(place);
    return NULL;
}

// Large blocks that nobody has asked for make room for what was given back later.
static bool has_place(size_t bytes) {
    for (size_t kind = kinds; shelf.bytes + bytes > agd_blocks_kept_at_most;) {
        while (kind > small_kinds && !shelf.first[kind - 1]) kind--;
        if (kind == small_kinds) return false;
        free(taken(&shelf.first[kind - 1]));
    }
    return true;
}

size_t agd_blocks_kept(void) { return shelf.bytes; }

void agd_blocks_let_go(void) {
    for (size_t kind = 0; kind < kinds; kind++)
        while (shelf.first[kind]) free(taken(&shelf.first[kind]));
}

// MARK: Blocks

// What is in front of a block in use.
static struct head *head_of(void *block) {
    struct head *head = (struct head *)block - 1;
    if (head->mark != in_use) abort();
    return head;
}

void *agd_block(size_t bytes) {
    if (bytes == 0) bytes = 1;
    if (bytes > UINT32_MAX - sizeof(struct head)) return NULL;
    struct head *head = found(bytes);
    if (!head) {
        size_t room = bytes <= most_small ? (kind_of(bytes) + 1) * step : bytes;
        head = malloc(sizeof *head + room);
        if (!head) return NULL;
        head->room = (uint32_t)room;
    }
    head->mark = in_use;
    return head + 1;
}

void agd_block_free(void *block) {
    if (!block) return;
    struct head *head = head_of(block);
    head->mark = kept;
    size_t kind = kind_of(head->room);
    if (kind == kinds || shelf.is_over || !look_after() || !has_place(size_of(head))) {
        free(head);
        return;
    }
    head->next = shelf.first[kind];
    shelf.first[kind] = head;
    shelf.bytes += size_of(head);
}

void *agd_block_zeroed(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    void *block = agd_block(bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

void *agd_block_resized(void *block, size_t bytes) {
    if (!block) return agd_block(bytes);
    size_t room = head_of(block)->room;
    if (bytes == 0) bytes = 1;
    if (bytes <= room && (bytes > room / 2 || kind_of(bytes) == kind_of(room))) return block;
    void *other = agd_block(bytes);
    if (!other) return bytes <= room ? block : NULL;
    memcpy(other, block, room < bytes ? room : bytes);
    agd_block_free(block);
    return other;
}

char *agd_block_text(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *block = agd_block(bytes);
    return block ? memcpy(block, text, bytes) : NULL;
}
