// Swift imports all that is needed of libseccomp by itself; this names the header, which need not lie beside the module
// map.
#ifndef AGD_CSECCOMP_SHIM_H
#define AGD_CSECCOMP_SHIM_H

#include <seccomp.h>

#endif
