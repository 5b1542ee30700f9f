import CFFmpeg
import TranscodeProtocol

/// Decodes a JPEG at the smallest halving that is not below what is wanted, and of a progressive one only the scans that
/// show at that size.
enum JPEGDecoding {
    static func decode(
        _ source: borrowing MappedInput, facts: PictureFacts, wanted: PixelSize
    ) throws(TranscodeFailure) -> Frame {
        let halvings = PictureDecoding.halvings(from: facts.size, to: wanted)
        let decoder = try TurboDecoder.make()
        let frame: Frame
        if halvings > 0, let end = facts.endsOfScans[halvings] {
            let packet = try Packet.of(source, ranges: [0..<end], closedBy: endOfImage)
            frame = try packet.withBytes { bytes throws(TranscodeFailure) in
                try decoder.picture(bytes, halvings: halvings)
            }
        } else {
            frame = try source.withBytes { bytes throws(TranscodeFailure) in
                try decoder.picture(bytes, halvings: halvings)
            }
        }
        try frame.attachColorProfile(of: source, at: facts.colorProfile)
        return frame.format == AV_PIX_FMT_BGRA ? try InkConversion.rgb(frame) : frame
    }

    private static let endOfImage: [UInt8] = [0xFF, 0xD9]
}
