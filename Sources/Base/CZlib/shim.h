// zlib, which libavcodec also links for PNG. The fetcher decodes bodies with it, and a support bundle is compressed.
#ifndef AGD_CZLIB_SHIM_H
#define AGD_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit and inflateInit2 are macros.
static inline int agd_inflate_init(z_stream *stream) { return inflateInit(stream); }
static inline int agd_inflate_init_window(z_stream *stream, int bits) { return inflateInit2(stream, bits); }
// deflateInit2 is a macro. Begins a stream in the format of gzip: a window of 15 bits, and 16 more.
static inline int agd_deflate_init_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
