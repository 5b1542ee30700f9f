// The parts of FFmpeg 5.1 that Swift cannot import by itself: function-like macros and their constants.
#ifndef AGD_CFFMPEG_SHIM_H
#define AGD_CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// AVERROR(e) and FFERRTAG(…) are function-like macros.
static inline int agd_averror(int posix_errno) { return AVERROR(posix_errno); }
static const int agd_averror_eof = AVERROR_EOF;
static const int agd_averror_invalid_data = AVERROR_INVALIDDATA;
// AV_NOPTS_VALUE casts through INT64_C, which Swift does not import.
static const int64_t agd_no_pts = AV_NOPTS_VALUE;

// The callback takes a va_list, whose imported type differs between architectures.
static inline void agd_log_nothing(void *of, int level, const char *format, va_list values) {
    (void)of, (void)level, (void)format, (void)values;
}
static inline void agd_silence(void) { av_log_set_callback(agd_log_nothing); }

#endif
