import CFFmpeg
import TranscodeProtocol

/// Which coded videos a phone plays without being made anew (Apple, HLS authoring specification, 1.1 to 1.7).
enum PlayableVideo {
    /// H.264 of 8 bits 4:2:0 up to High, HEVC Main and Main 10. An AVI says only when a frame is decoded, not when it is
    /// shown.
    static func isPlayable(_ stream: MediaStream, in format: SourceFormat) -> Bool {
        guard format != .avi, let profile = profile(stream) else { return false }
        return switch stream.codec {
        case AV_CODEC_ID_H264: [66, 77, 88, 100].contains(profile)
        case AV_CODEC_ID_HEVC: (1...2).contains(profile)
        default: false
        }
    }

    /// The profile in the decoder configuration record (ISO 14496-15, 5.3.3 and 8.3.3), whose first byte is 1; or, where the
    /// parameter sets are among the packets, the profile that FFmpeg has read there.
    private static func profile(_ stream: MediaStream) -> Int? {
        let size = Int(unsafe stream.parameters.pointee.extradata_size)
        guard size >= 2, let record = unsafe stream.parameters.pointee.extradata, unsafe record[0] == 1 else {
            // Its upper bits hold constraints.
            let profile = unsafe stream.parameters.pointee.profile
            return profile > 0 ? Int(profile & 0xFF) : nil
        }
        let byte = Int(unsafe record[1])
        // HEVC has the profile space and the tier in the upper bits.
        return stream.codec == AV_CODEC_ID_HEVC ? byte & 0x1F : byte
    }
}
