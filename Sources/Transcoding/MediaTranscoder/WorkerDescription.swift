package import Base
import CFFmpeg

/// The report of a worker about its libraries and its sandbox. The worker writes it for `appgroupd doctor` and
/// `status`, because the daemon itself does not link FFmpeg.
package enum WorkerDescription {
    /// The demuxers, muxers, decoders and encoders without which some renditions cannot be made.
    private static let demuxers = MediaFormat.decoded.compactMap { $0.demuxer?.description }.reduce(into: [String]()) {
        if !$0.contains($1) { $0.append($1) }
    }
    private static let muxers = MediaFormat.renditions.compactMap { $0.muxer?.description }
    private static let decoders = ["webp", "bmp"] + AllowedDecoders.all
    private static let encoders = ["mjpeg", "png", "libx264", "aac"]

    /// Returns the report as JSON.
    ///
    /// - Parameter sandbox: The report of the sandbox in which the worker runs.
    package static func json(sandbox: JSONValue) -> JSONValue {
        [
            "ffmpeg": .string(unsafe String(cString: av_version_info())),
            "libraries": .array(libraries),
            "demuxers": found(demuxers) { unsafe av_find_input_format($0) != nil },
            "muxers": found(muxers) { unsafe av_guess_format($0, nil, nil) != nil },
            "decoders": found(decoders) { unsafe avcodec_find_decoder_by_name($0) != nil },
            "encoders": found(encoders) { unsafe avcodec_find_encoder_by_name($0) != nil },
            "sandbox": sandbox,
        ]
    }

    private static var libraries: [JSONValue] {
        [
            library(
                "libavformat", loaded: avformat_version(),
                builtAgainst: (LIBAVFORMAT_VERSION_MAJOR, LIBAVFORMAT_VERSION_MINOR, LIBAVFORMAT_VERSION_MICRO)),
            library(
                "libavcodec", loaded: avcodec_version(),
                builtAgainst: (LIBAVCODEC_VERSION_MAJOR, LIBAVCODEC_VERSION_MINOR, LIBAVCODEC_VERSION_MICRO)),
            library(
                "libswresample", loaded: swresample_version(),
                builtAgainst: (
                    LIBSWRESAMPLE_VERSION_MAJOR, LIBSWRESAMPLE_VERSION_MINOR, LIBSWRESAMPLE_VERSION_MICRO
                )),
            library(
                "libswscale", loaded: swscale_version(),
                builtAgainst: (LIBSWSCALE_VERSION_MAJOR, LIBSWSCALE_VERSION_MINOR, LIBSWSCALE_VERSION_MICRO)),
            library(
                "libavutil", loaded: avutil_version(),
                builtAgainst: (LIBAVUTIL_VERSION_MAJOR, LIBAVUTIL_VERSION_MINOR, LIBAVUTIL_VERSION_MICRO)),
        ]
    }

    private static func found(_ names: [String], _ isThere: (String) -> Bool) -> JSONValue {
        var object = JSONObject()
        for name in names { object.append(name, .bool(isThere(name))) }
        return .object(object)
    }

    private static func library(_ name: String, loaded: UInt32, builtAgainst: (Int32, Int32, Int32)) -> JSONValue {
        let headers = "\(builtAgainst.0).\(builtAgainst.1).\(builtAgainst.2)"
        return [
            "name": .string(name), "version": .string("\(loaded >> 16).\(loaded >> 8 & 0xFF).\(loaded & 0xFF)"),
            "builtAgainst": .string(headers),
        ]
    }
}
