import CFFmpeg

/// A codec's name for a person.
enum CodecName {
    static func of(_ codec: AVCodecID) -> String {
        // A static string of FFmpeg's; "unknown_codec" for strangers.
        unsafe String(cString: avcodec_get_name(codec))
    }
}
