// The benchmark's program for libvips, the transcoder's peer. It makes the thumbnail of one file in memory, as many
// times as the benchmark requests.
//
//     vips-thumbnail INPUT SIDE jpeg|png QUALITY OUTPUT
//
// The program exchanges messages on descriptor 3. A request is a number of rounds. The reply has the processor time of
// all threads and the elapsed time, both in nanoseconds, and the size of the last output in bytes. At the number 0, the
// program writes the last output to the file OUTPUT and ends. QUALITY is the quality of a JPEG or the compression level
// of a PNG.
//
// libvips uses one thread and keeps nothing between two rounds, so each round does all of the work.
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

// Makes a thumbnail without metadata, like a rendition. libvips turns the thumbnail upright by default.
static void thumbnail(const void *input, size_t input_bytes, int side, int is_png, int quality, void **output,
                      size_t *output_bytes) {
    VipsImage *image;
    // Both sides have at most `side` pixels, and the thumbnail is never larger than the image.
    if (vips_thumbnail_buffer((void *)input, input_bytes, &image, side, "height", side, "size", VIPS_SIZE_DOWN, NULL))
        fail("thumbnail");
    // As in the transcoder, the filter of a PNG is chosen for each row, and the chroma of a JPEG is subsampled. By
    // default, libvips does not subsample chroma from quality 90 on.
    int failed = is_png ? vips_pngsave_buffer(image, output, output_bytes, "compression", quality, "filter",
                                              VIPS_FOREIGN_PNG_FILTER_ALL, "strip", TRUE, NULL)
                        : vips_jpegsave_buffer(image, output, output_bytes, "Q", quality, "subsample_mode",
                                               VIPS_FOREIGN_SUBSAMPLE_ON, "strip", TRUE, NULL);
    if (failed) fail("save");
    g_object_unref(image);
}

int main(int count, char **words) {
    // The option --version prints the version for the heading of the result table.
    if (count == 2 && strcmp(words[1], "--version") == 0) {
        dprintf(3, "%s", vips_version_string());
        return 0;
    }
    if (count != 6) {
        fprintf(stderr, "usage: vips-thumbnail INPUT SIDE jpeg|png QUALITY OUTPUT\n");
        return 2;
    }
    // Suppresses the warnings that libvips prints about the colors of each HEIC file.
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
