// The TurboJPEG API of libjpeg-turbo (2.1), which turns the long jumps of its decoder into return codes.
#ifndef AGD_CTURBOJPEG_SHIM_H
#define AGD_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
