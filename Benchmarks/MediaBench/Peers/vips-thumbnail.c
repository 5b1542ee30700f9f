// libvips as the transcoder's peer: a thumbnail of one file, in memory, as often as it is told, in this process.
//
//     vips-thumbnail INPUT SIDE jpeg|png QUALITY OUTPUT
//
// Told and telling by messages on descriptor 3: a number of rounds comes in; the processor time (all threads, in
// nanoseconds), the time (nanoseconds) and the bytes of the last output go out. The number 0 ends it: the last output is
// written to the file. QUALITY is the quality of a JPEG or the compression level of a PNG.
//
// One thread, nothing kept between rounds: each does all of the work.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vips/vips.h>

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "vips-thumbnail: %s: %s\n", what, vips_error_buffer());
    exit(1);
}

// Metadata goes, as it does from a rendition; the thumbnail is turned upright, which is libvips' standard.
static void thumbnail(const void *input, size_t input_bytes, int side, int is_png, int quality, void **output,
                      size_t *output_bytes) {
    VipsImage *image;
    // Both sides at most this long, never larger than the picture.
    if (vips_thumbnail_buffer((void *)input, input_bytes, &image, side, "height", side, "size", VIPS_SIZE_DOWN, NULL))
        fail("thumbnail");
    // The filter for PNG is the transcoder's: chosen row by row. So are a JPEG's halved colour differences, which libvips
    // by itself leaves whole from quality 90 on.
    int failed = is_png ? vips_pngsave_buffer(image, output, output_bytes, "compression", quality, "filter",
                                              VIPS_FOREIGN_PNG_FILTER_ALL, "strip", TRUE, NULL)
                        : vips_jpegsave_buffer(image, output, output_bytes, "Q", quality, "subsample_mode",
                                               VIPS_FOREIGN_SUBSAMPLE_ON, "strip", TRUE, NULL);
    if (failed) fail("save");
    g_object_unref(image);
}

int main(int count, char **words) {
    // The version, for the table's head.
    if (count == 2 && strcmp(words[1], "--version") == 0) {
        dprintf(3, "%s", vips_version_string());
        return 0;
    }
    if (count != 6) {
        fprintf(stderr, "usage: vips-thumbnail INPUT SIDE jpeg|png QUALITY OUTPUT\n");
        return 2;
    }
    // What it has to say of each HEIC's colours is not asked for.
    g_setenv("VIPS_WARNING", "1", TRUE);
    if (VIPS_INIT(words[0])) fail("start");
    vips_concurrency_set(1);
    vips_cache_set_max(0);

    char *input;
    gsize input_bytes;
    if (!g_file_get_contents(words[1], &input, &input_bytes, NULL)) {
        fprintf(stderr, "vips-thumbnail: %s cannot be read\n", words[1]);
        return 1;
    }
    int side = atoi(words[2]), is_png = strcmp(words[3], "png") == 0, quality = atoi(words[4]);

    void *output = NULL;
    size_t output_bytes = 0;
    char message[64];
    ssize_t length;
    while ((length = read(3, message, sizeof message - 1)) > 0) {
        message[length] = 0;
        int rounds = atoi(message);
        if (rounds <= 0) break;
        int64_t processor = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC);
        for (; rounds > 0; rounds--) {
            g_free(output);
            thumbnail(input, input_bytes, side, is_png, quality, &output, &output_bytes);
        }
        processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor, start = now(CLOCK_MONOTONIC) - start;
        dprintf(3, "%lld %lld %zu", (long long)processor, (long long)start, output_bytes);
    }
    if (output && !g_file_set_contents(words[5], output, (gssize)output_bytes, NULL)) {
        fprintf(stderr, "vips-thumbnail: %s cannot be written\n", words[5]);
        return 1;
    }
    g_free(output);
    g_free(input);
    vips_shutdown();
    return 0;
}
