// Swift imports all needed declarations of c-ares by itself. This file names the header, which need not be next to the
// module map.
#ifndef AGD_CCARES_SHIM_H
#define AGD_CCARES_SHIM_H

#include <ares.h>

#endif
