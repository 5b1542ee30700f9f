// The part of xxHash that Swift needs: XXH3 with 64 bits over pieces. Its functions are compiled into the program, so
// the program needs no library for them.
#ifndef AGD_CXXHASH_SHIM_H
#define AGD_CXXHASH_SHIM_H

#define XXH_INLINE_ALL
#include <xxhash.h>

struct agd_checksum;

// Returns NULL without memory.
static inline struct agd_checksum *agd_checksum_create(void) {
    XXH3_state_t *state = XXH3_createState();
    if (state) XXH3_64bits_reset(state);
    return (struct agd_checksum *)state;
}

static inline void agd_checksum_update(struct agd_checksum *state, const void *bytes, size_t count) {
    XXH3_64bits_update((XXH3_state_t *)state, bytes, count);
}

static inline uint64_t agd_checksum_value(const struct agd_checksum *state) {
    return XXH3_64bits_digest((const XXH3_state_t *)state);
}

static inline void agd_checksum_free(struct agd_checksum *state) { XXH3_freeState((XXH3_state_t *)state); }

#endif
