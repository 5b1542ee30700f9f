// The parts of libtiff 4.5 that Swift cannot import by itself: variadic functions, and handlers with a va_list, whose
// imported type differs between architectures.
#ifndef AGD_CTIFF_SHIM_H
#define AGD_CTIFF_SHIM_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>

// A file in memory, and the text of the first problem that libtiff reports; empty if there was no problem.
struct agd_tiff_source {
    const uint8_t *bytes;
    uint64_t count, position;
    char problem[160];
};

static inline tmsize_t agd_tiff_read(thandle_t handle, void *target, tmsize_t size) {
    struct agd_tiff_source *source = (struct agd_tiff_source *)handle;
    uint64_t left = source->position < source->count ? source->count - source->position : 0;
    if (size < 0) return 0;
    if ((uint64_t)size > left) size = (tmsize_t)left;
    if (size > 0) memcpy(target, source->bytes + source->position, (size_t)size);
    source->position += (uint64_t)size;
    return size;
}
static inline tmsize_t agd_tiff_write(thandle_t handle, void *bytes, tmsize_t size) {
    (void)handle, (void)bytes, (void)size;
    return 0;
}
static inline toff_t agd_tiff_seek(thandle_t handle, toff_t offset, int origin) {
    struct agd_tiff_source *source = (struct agd_tiff_source *)handle;
    source->position = (origin == SEEK_CUR ? source->position : origin == SEEK_END ? source->count : 0) + offset;
    return source->position;
}
static inline toff_t agd_tiff_size(thandle_t handle) { return ((struct agd_tiff_source *)handle)->count; }
static inline int agd_tiff_map(thandle_t handle, void **bytes, toff_t *size) {
    *bytes = (void *)((struct agd_tiff_source *)handle)->bytes;
    *size = ((struct agd_tiff_source *)handle)->count;
    return 1;
}
static inline void agd_tiff_unmap(thandle_t handle, void *bytes, toff_t size) { (void)handle, (void)bytes, (void)size; }
static inline int agd_tiff_close(thandle_t handle) { return (void)handle, 0; }

// The result is not 0, so libtiff does not call the handlers of the process, which write to stderr.
static inline int agd_tiff_error(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    struct agd_tiff_source *source = (struct agd_tiff_source *)user;
    (void)tiff, (void)module;
    if (!source->problem[0]) vsnprintf(source->problem, sizeof source->problem, format, values);
    return 1;
}
// Some warnings report missing or wrong pixels. These are all warnings of libjpeg and of Group 4, in which each row
// depends on the row before. Warnings about early ends and contradictory sizes are also such warnings.
static inline int agd_tiff_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    int is_damage = (module && (!strcmp(module, "JPEGLib") || !strcmp(module, "Fax4Decode"))) ||
                    !strncmp(format, "Premature EOF", 13) || !strncmp(format, "Improper JPEG", 13);
    return is_damage ? agd_tiff_error(tiff, user, module, format, values) : 1;
}

// Returns NULL after a failure, which `problem` describes. The source must outlive the result.
static inline TIFF *agd_tiff_open(struct agd_tiff_source *source, tmsize_t most_bytes) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_bytes);
    TIFFOpenOptionsSetErrorHandlerExtR(options, agd_tiff_error, source);
    TIFFOpenOptionsSetWarningHandlerExtR(options, agd_tiff_warning, source);
    TIFF *tiff = TIFFClientOpenExt(
        "TIFF", "r", source, agd_tiff_read, agd_tiff_write, agd_tiff_seek, agd_tiff_close, agd_tiff_size, agd_tiff_map,
        agd_tiff_unmap, options);
    TIFFOpenOptionsFree(options);
    // A problem in a tag that libtiff ignores does not concern the pixels.
    if (tiff) source->problem[0] = 0;
    return tiff;
}

// The following functions call TIFFGetField and TIFFSetField, which are variadic.
static inline uint16_t agd_tiff_short(TIFF *tiff, uint32_t tag, uint16_t otherwise) {
    uint16_t value;
    return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : otherwise;
}
static inline uint32_t agd_tiff_long(TIFF *tiff, uint32_t tag) {
    uint32_t value;
    return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : 0;
}
// Returns whether the file has a tag whose value is an array, with or without a count.
static inline int agd_tiff_has_array(TIFF *tiff, uint32_t tag) {
    void *first, *second;
    return TIFFGetField(tiff, tag, &first, &second);
}
static inline uint16_t agd_tiff_first_extra_sample(TIFF *tiff) {
    uint16_t count, *meanings;
    return TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &meanings) && count > 0 ? meanings[0] : 0;
}
// Returns three tables of 2 to the power of the bits of a sample. They are valid as long as the file is open.
static inline int agd_tiff_palette(TIFF *tiff, const uint16_t *tables[3]) {
    return TIFFGetField(tiff, TIFFTAG_COLORMAP, &tables[0], &tables[1], &tables[2]);
}
// Returns NULL if the file has no profile. The profile is valid as long as the file is open.
static inline const uint8_t *agd_tiff_profile(TIFF *tiff, uint32_t *count) {
    void *bytes;
    return TIFFGetField(tiff, TIFFTAG_ICCPROFILE, count, &bytes) ? (const uint8_t *)bytes : NULL;
}
static inline void agd_tiff_convert_jpeg_to_rgb(TIFF *tiff) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}

#endif
