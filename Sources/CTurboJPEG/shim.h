// libjpeg-turbo's own API (2.1), which turns its decoder's long jumps into return codes.
#ifndef AGD_CTURBOJPEG_SHIM_H
#define AGD_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
