import CFFmpeg

/// Which coded videos a phone plays without being made anew (Apple, HLS authoring specification, 1.1 to 1.7).
enum PlayableVideo {
    /// H.264 of 8 bits 4:2:0 up to High, HEVC Main and Main 10.
    static func isPlayable(_ stream: MediaStream) -> Bool {
        guard let profile = profile(stream) else { return false }
        return switch stream.codec {
        case AV_CODEC_ID_H264: [66, 77, 88, 100].contains(profile)
        case AV_CODEC_ID_HEVC: (1...2).contains(profile)
        default: false
        }
    }

    /// The profile in the decoder configuration record (ISO 14496-15, 5.3.3 and 8.3.3), whose first byte is 1.
    private static func profile(_ stream: MediaStream) -> Int? {
        let size = Int(unsafe stream.parameters.pointee.extradata_size)
        guard size >= 2, let record = unsafe stream.parameters.pointee.extradata, unsafe record[0] == 1 else {
            return nil
        }
        let byte = Int(unsafe record[1])
        // HEVC has the profile space and the tier in the upper bits.
        return stream.codec == AV_CODEC_ID_HEVC ? byte & 0x1F : byte
    }
}
