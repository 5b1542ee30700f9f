import Base
import CFFmpeg
import TranscodeProtocol

/// The decoding of a JPEG at the smallest halving that is not below the wanted size. From a progressive JPEG, only the
/// scans that matter at that size are decoded.
///
/// libjpeg-turbo takes about 0.7 of FFmpeg's time for a photograph of 12 megapixels, and reads JPEGs that FFmpeg 5.1
/// does not read. For the first scans of a progressive JPEG, `ReducedSizeDecoder` is the fastest. FFmpeg decodes the
/// progressive JPEGs that `ReducedSizeDecoder` does not support, because libjpeg smooths the missing data.
enum JPEGDecoding {
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let frame = try stored(source, facts: facts, halvings: halvings(of: facts, wanted: wanted), limits: limits)
        return try inLight(frame, source, facts: facts)
    }

    static func halvings(of facts: ImageFacts, wanted: PixelSize) -> Int {
        max(ImageDecoding.halvings(from: facts.size, to: wanted), facts.memory.minHalvings ?? 3)
    }

    /// Attaches the profile to a decoded frame, and converts CMYK to RGB.
    static func inLight(
        _ frame: consuming Frame, _ source: borrowing MappedInput, facts: ImageFacts
    ) throws(TranscodeFailure) -> Frame {
        try frame.attachColorProfile(of: source, at: facts.colorProfile)
        guard frame.format == PixelFormat.cmyk else { return frame }
        return try CMYKConversion(transform: frame.transform(of: .inks)).rgb(frame)
    }

    /// Decodes the image in the colors in which it is stored.
    private static func stored(
        _ source: borrowing MappedInput, facts: ImageFacts, halvings: Int, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        guard halvings > 0, let end = facts.endsOfScans[halvings] else {
            return try image(source, facts: facts, TurboDecoder.make(), halvings: halvings)
        }
        if let frame = try lowFrequencies(source, facts: facts, halvings: halvings) { return frame }
        return try firstScans(source, upTo: end, halvings: halvings, limits: limits)
    }

    private static func lowFrequencies(
        _ source: borrowing MappedInput, facts: ImageFacts, halvings: Int
    ) throws(TranscodeFailure) -> Frame? {
        guard let header = facts.jpeg else { return nil }
        let image = source.withBytes { ReducedSizeDecoder(header, of: $0, halvings: halvings) }
        return try image.map { image throws(TranscodeFailure) in try Frame.of(image, sampled: header) }
    }

    /// Decodes the scans before an offset with FFmpeg.
    static func firstScans(
        _ source: borrowing MappedInput, upTo end: Int, halvings: Int, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let packet = try Packet.of(source, ranges: [0..<end], closedBy: endOfImage)
        let decoder = try Decoder.open(AV_CODEC_ID_MJPEG, maxPixels: limits.scalablePixels, halvings: halvings)
        return try decoder.image(of: packet)
    }

    /// Decodes the image. If that fails, it is decoded again without stray bytes and unknown segments.
    static func image(
        _ source: borrowing MappedInput, facts: ImageFacts, _ decoder: borrowing TurboDecoder, halvings: Int
    ) throws(TranscodeFailure) -> Frame {
        do throws(TranscodeFailure) {
            return try source.withBytes { bytes throws(TranscodeFailure) in
                try decoder.image(bytes, halvings: halvings)
            }
        } catch {
            guard error.code == .corrupt, let parts = facts.decoded, parts != [0..<source.count] else { throw error }
            return try Packet.of(source, ranges: parts).withBytes { bytes throws(TranscodeFailure) in
                try decoder.image(bytes, halvings: halvings)
            }
        }
    }

    static let endOfImage: [UInt8] = [0xFF, 0xD9]
}
