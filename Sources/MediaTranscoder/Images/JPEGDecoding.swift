import CFFmpeg
import MediaHeaders
import ProgressiveJPEG
import TranscodeProtocol

/// Decodes a JPEG at the smallest halving that is not below what is wanted, and of a progressive one only the scans that
/// show at that size.
///
/// libjpeg-turbo is the quicker one (about 0.7 of FFmpeg's time for a photograph of 12 megapixels), and reads what FFmpeg
/// 5.1 does not. Of a progressive picture whose scans are cut, `ReducedSizeDecoder` makes the least; what it leaves FFmpeg
/// reads, as libjpeg smooths what is missing.
enum JPEGDecoding {
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let frame = try stored(source, facts: facts, halvings: halvings(of: facts, wanted: wanted), limits: limits)
        return try inLight(frame, source, facts: facts)
    }

    static func halvings(of facts: ImageFacts, wanted: PixelSize) -> Int {
        max(ImageDecoding.halvings(from: facts.size, to: wanted), facts.memory.leastHalvings ?? 3)
    }

    /// With its profile, and in light if it is stored in four inks.
    static func inLight(
        _ frame: consuming Frame, _ source: borrowing MappedInput, facts: ImageFacts
    ) throws(TranscodeFailure) -> Frame {
        try frame.attachColorProfile(of: source, at: facts.colorProfile)
        return frame.format == PixelFormat.cmyk ? try CMYKConversion(frame.transform(of: .inks)).rgb(frame) : frame
    }

    /// In the colours that it is stored in.
    private static func stored(
        _ source: borrowing MappedInput, facts: ImageFacts, halvings: Int, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        guard halvings > 0, let end = facts.endsOfScans[halvings] else {
            return try picture(source, facts: facts, TurboDecoder.make(), halvings: halvings)
        }
        if let frame = try lowFrequencies(source, facts: facts, halvings: halvings) { return frame }
        return try firstScans(source, upTo: end, halvings: halvings, limits: limits)
    }

    private static func lowFrequencies(
        _ source: borrowing MappedInput, facts: ImageFacts, halvings: Int
    ) throws(TranscodeFailure) -> Frame? {
        guard let header = facts.jpeg else { return nil }
        let picture = source.withBytes { ReducedSizeDecoder(header, of: $0, halvings: halvings) }
        return try picture.map { picture throws(TranscodeFailure) in try Frame.of(picture, sampled: header) }
    }

    /// By FFmpeg, of the scans before an offset.
    static func firstScans(
        _ source: borrowing MappedInput, upTo end: Int, halvings: Int, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let packet = try Packet.of(source, ranges: [0..<end], closedBy: endOfImage)
        let decoder = try Decoder.open(AV_CODEC_ID_MJPEG, mostPixels: limits.scalablePixels, halvings: halvings)
        return try decoder.picture(of: packet)
    }

    /// Stray bytes and segments that nobody knows harm nothing: where there are some, once more without them.
    static func picture(
        _ source: borrowing MappedInput, facts: ImageFacts, _ decoder: borrowing TurboDecoder, halvings: Int
    ) throws(TranscodeFailure) -> Frame {
        do throws(TranscodeFailure) {
            return try source.withBytes { bytes throws(TranscodeFailure) in
                try decoder.picture(bytes, halvings: halvings)
            }
        } catch {
            guard error.code == .corrupt, let parts = facts.decoded, parts != [0..<source.count] else { throw error }
            return try Packet.of(source, ranges: parts).withBytes { bytes throws(TranscodeFailure) in
                try decoder.picture(bytes, halvings: halvings)
            }
        }
    }

    static let endOfImage: [UInt8] = [0xFF, 0xD9]
}
