// zlib, which libavcodec links for PNG too.
#ifndef AGD_CZLIB_SHIM_H
#define AGD_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit is a macro.
static inline int agd_inflate_init(z_stream *stream) { return inflateInit(stream); }

#endif
