// Swift imports all that is needed of c-ares by itself; this names the header, which need not lie beside the module map.
#ifndef AGD_CCARES_SHIM_H
#define AGD_CCARES_SHIM_H

#include <ares.h>

#endif
