// What Swift needs of Little CMS 2 and cannot import by itself: formats are made of function-like macros.
#ifndef AGD_CLITTLECMS_SHIM_H
#define AGD_CLITTLECMS_SHIM_H

#include <lcms2.h>

static const cmsUInt32Number agd_rgb = TYPE_RGB_8;
static const cmsUInt32Number agd_grey = TYPE_GRAY_8;
static const cmsUInt32Number agd_lab = TYPE_Lab_8;
// 255 is no ink, as Adobe's JPEGs have it.
static const cmsUInt32Number agd_inverted_cmyk = TYPE_CMYK_8_REV;

#endif
