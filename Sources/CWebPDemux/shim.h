// libwebp's decoder of animations, which composes their frames.
#ifndef AGD_CWEBPDEMUX_SHIM_H
#define AGD_CWEBPDEMUX_SHIM_H

#include <webp/demux.h>

#endif
