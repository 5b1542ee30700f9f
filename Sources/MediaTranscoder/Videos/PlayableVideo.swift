import CFFmpeg
import MediaTypes

/// The coded videos that a phone plays without encoding them again (Apple, HLS authoring specification, 1.1 to 1.7).
enum PlayableVideo {
    /// Returns whether the stream is H.264 of 8 bits and 4:2:0 up to High, or HEVC Main or Main 10. A video in an AVI
    /// is not copied, because an AVI states when a frame is decoded, but not when it is shown.
    static func isPlayable(_ stream: MediaStream, in format: MediaFormat) -> Bool {
        guard format != .avi, let profile = profile(stream) else { return false }
        return switch stream.codec {
        case AV_CODEC_ID_H264: [66, 77, 88, 100].contains(profile)
        case AV_CODEC_ID_HEVC: (1...2).contains(profile)
        default: false
        }
    }

    /// Returns the profile of the decoder configuration record (ISO 14496-15, 5.3.3 and 8.3.3), whose first byte is 1.
    /// If the parameter sets are in the packets, it returns the profile that FFmpeg has read there. `nil` means that
    /// the profile is unknown.
    private static func profile(_ stream: MediaStream) -> Int? {
        let size = Int(unsafe stream.parameters.pointee.extradata_size)
        guard size >= 2, let record = unsafe stream.parameters.pointee.extradata, unsafe record[0] == 1 else {
            // The upper bits of FFmpeg's value hold constraints.
            let profile = unsafe stream.parameters.pointee.profile
            return profile > 0 ? Int(profile & 0xFF) : nil
        }
        let byte = Int(unsafe record[1])
        // The upper bits of the HEVC byte hold the profile space and the tier.
        return stream.codec == AV_CODEC_ID_HEVC ? byte & 0x1F : byte
    }
}
