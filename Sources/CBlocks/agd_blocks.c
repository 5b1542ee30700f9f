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
    large_kinds = 6,
    // Large ones that are looked at for one that fits.
    most_tries = 8,
};

const size_t agd_small_blocks_kept_at_most = 256 * 1024;
const size_t agd_large_blocks_kept_at_most = 4 * 1024 * 1024;

// Of a thread.
static __thread struct {
    size_t bytes;
    struct head *first[small_kinds];
    bool is_looked_after;
    bool is_over;
} small;

// Of all threads: a burst that has been on one goes on on another.
static struct {
    pthread_mutex_t lock;
    size_t bytes;
    struct head *first[large_kinds];
} large = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_small(size_t room) { return room <= most_small; }
static size_t small_kind(size_t room) { return (room - 1) / step; }

// `large_kinds` of what is never kept.
static size_t large_kind(size_t room) {
    size_t kind = 0;
    for (size_t most = 2 * most_small; kind < large_kinds && room > most; most *= 2) kind++;
    return kind;
}

static size_t size_of(const struct head *head) { return sizeof *head + head->room; }

// Out of the chain, from the place that points to it.
static struct head *taken(struct head **place, size_t *bytes) {
    struct head *head = *place;
    *place = head->next;
    *bytes -= size_of(head);
    return head;
}

static void put(struct head *head, struct head **place, size_t *bytes) {
    head->next = *place;
    *place = head;
    *bytes += size_of(head);
}

// MARK: The small ones of a thread, and its end

static void let_go_of_small(void) {
    for (size_t kind = 0; kind < small_kinds; kind++)
        while (small.first[kind]) free(taken(&small.first[kind], &small.bytes));
}

static pthread_key_t end;
static bool has_end;

static void ended(void *unused) {
    (void)unused;
    small.is_over = true;
    let_go_of_small();
}

static void make_key(void) { has_end = !pthread_key_create(&end, ended); }

// Whether the thread's end will be told.
static bool look_after(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (small.is_looked_after) return true;
    pthread_once(&once, make_key);
    return small.is_looked_after = has_end && !pthread_setspecific(end, &small);
}

static struct head *found_small(size_t bytes) {
    size_t kind = small_kind(bytes);
    return small.first[kind] ? taken(&small.first[kind], &small.bytes) : NULL;
}

static bool keep_small(struct head *head) {
    if (small.is_over || small.bytes + size_of(head) > agd_small_blocks_kept_at_most || !look_after()) return false;
    put(head, &small.first[small_kind(head->room)], &small.bytes);
    return true;
}

// MARK: The large ones of all

static struct head *found_large(size_t bytes) {
    size_t kind = large_kind(bytes);
    if (kind == large_kinds) return NULL;
    struct head *head = NULL;
    int tries = 0;
    pthread_mutex_lock(&large.lock);
    for (struct head **place = &large.first[kind]; *place && tries < most_tries; place = &(*place)->next, tries++)
        if ((*place)->room >= bytes) {
            head = taken(place, &large.bytes);
            break;
        }
    pthread_mutex_unlock(&large.lock);
    return head;
}

static void free_all(struct head *first) {
    for (struct head *next; first; first = next) {
        next = first->next;
        free(first);
    }
}

// Larger ones that nobody has asked for make room for what was given back later. What goes is freed when the others may
// go on.
static bool keep_large(struct head *head) {
    size_t kind = large_kind(head->room);
    if (kind == large_kinds) return false;
    const size_t most = agd_large_blocks_kept_at_most - size_of(head);
    struct head *gone = NULL;
    size_t gone_bytes = 0;
    pthread_mutex_lock(&large.lock);
    for (size_t other = large_kinds - 1; other > kind; other--)
        while (large.bytes > most && large.first[other])
            put(taken(&large.first[other], &large.bytes), &gone, &gone_bytes);
    bool fits = large.bytes <= most;
    if (fits) put(head, &large.first[kind], &large.bytes);
    pthread_mutex_unlock(&large.lock);
    free_all(gone);
    return fits;
}

static void let_go_of_large(void) {
    struct head *gone[large_kinds];
    pthread_mutex_lock(&large.lock);
    memcpy(gone, large.first, sizeof gone);
    memset(large.first, 0, sizeof large.first);
    large.bytes = 0;
    pthread_mutex_unlock(&large.lock);
    for (size_t kind = 0; kind < large_kinds; kind++) free_all(gone[kind]);
}

size_t agd_small_blocks_kept(void) { return small.bytes; }

size_t agd_large_blocks_kept(void) {
    pthread_mutex_lock(&large.lock);
    size_t bytes = large.bytes;
    pthread_mutex_unlock(&large.lock);
    return bytes;
}

void agd_blocks_let_go(void) {
    let_go_of_small();
    let_go_of_large();
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
    struct head *head = is_small(bytes) ? found_small(bytes) : found_large(bytes);
    if (!head) {
        size_t room = is_small(bytes) ? (small_kind(bytes) + 1) * step : bytes;
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
    if (!(is_small(head->room) ? keep_small(head) : keep_large(head))) free(head);
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
    if (bytes <= room && (bytes > room / 2 || room == step)) return block;
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
