// zlib, which libavcodec also links for PNG. The fetcher decodes bodies with it.
#ifndef AGD_CZLIB_SHIM_H
#define AGD_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit and inflateInit2 are macros.
static inline int agd_inflate_init(z_stream *stream) { return inflateInit(stream); }
static inline int agd_inflate_init_window(z_stream *stream, int bits) { return inflateInit2(stream, bits); }

#endif
