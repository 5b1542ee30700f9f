// libwebp's animation decoder, which composes the frames.
#ifndef AGD_CWEBPDEMUX_SHIM_H
#define AGD_CWEBPDEMUX_SHIM_H

#include <webp/demux.h>

#endif
