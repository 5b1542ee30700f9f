import CFFmpeg
import TranscodeProtocol

/// Decodes a JPEG at the smallest halving that is not below what is wanted, and of a progressive one only the scans that
/// show at that size.
///
/// libjpeg-turbo is the quicker one (about 0.7 of FFmpeg's time for a photograph of 12 megapixels), and reads what FFmpeg
/// 5.1 does not. Of a progressive picture whose scans are cut, FFmpeg makes far less: libjpeg smooths what is missing.
enum JPEGDecoding {
    static func decode(
        _ source: borrowing MappedInput, facts: PictureFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let halvings = PictureDecoding.halvings(from: facts.size, to: wanted)
        if halvings > 0, let end = facts.endsOfScans[halvings] {
            let packet = try Packet.of(source, ranges: [0..<end], closedBy: endOfImage)
            let decoder = try Decoder.open(
                AV_CODEC_ID_MJPEG, mostPixels: limits.scalablePixels, halvings: halvings)
            let frame = try decoder.picture(of: packet)
            try frame.attachColorProfile(of: source, at: facts.colorProfile)
            return frame
        }
        let decoder = try TurboDecoder.make()
        let frame = try source.withBytes { bytes throws(TranscodeFailure) in
            try decoder.picture(bytes, halvings: halvings)
        }
        try frame.attachColorProfile(of: source, at: facts.colorProfile)
        return frame.format == AV_PIX_FMT_BGRA ? try InkConversion.rgb(frame) : frame
    }

    private static let endOfImage: [UInt8] = [0xFF, 0xD9]
}
