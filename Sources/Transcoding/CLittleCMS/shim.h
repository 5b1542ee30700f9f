// The parts of Little CMS 2 that Swift cannot import by itself: the formats are made by function-like macros.
#ifndef AGD_CLITTLECMS_SHIM_H
#define AGD_CLITTLECMS_SHIM_H

#include <lcms2.h>

static const cmsUInt32Number agd_rgb = TYPE_RGB_8;
static const cmsUInt32Number agd_gray = TYPE_GRAY_8;
static const cmsUInt32Number agd_lab = TYPE_Lab_8;
// In Adobe's JPEGs, the value 255 means no ink.
static const cmsUInt32Number agd_inverted_cmyk = TYPE_CMYK_8_REV;

#endif
