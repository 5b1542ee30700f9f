// Swift imports all needed declarations of libseccomp by itself. This file names the header, which need not be next to
// the module map.
#ifndef AGD_CSECCOMP_SHIM_H
#define AGD_CSECCOMP_SHIM_H

#include <seccomp.h>

#endif
