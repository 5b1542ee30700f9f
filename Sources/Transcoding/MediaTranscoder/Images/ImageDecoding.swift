import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The decoding of a still image, or of the first image of an animation, from the mapped bytes without a demuxer.
enum ImageDecoding {
    /// Decodes an image at a size that suits its renditions.
    ///
    /// - Parameter wanted: The largest size that is made from the image, as stored. A JPEG is decoded at the smallest
    ///   halving that is not below this size.
    /// - Throws: `corrupt` if the decoder finds damage.
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        if facts.format == .jpeg {
            return try JPEGDecoding.decode(source, facts: facts, wanted: wanted, limits: limits)
        }
        // The first frame of the animation is decoded. It may differ from the image of viewers without animations.
        if facts.format == .webp || facts.png?.hidesDefaultImage == true, !facts.delays.isEmpty {
            return try facts.frame(0, of: source)
        }
        if let header = facts.heif {
            return try HEIFDecoding.decode(source, header, wanted: wanted, limits: limits)
        }
        if let layout = facts.tiff { return try TIFFDecoding.decode(source, layout) }
        if facts.isEmpty { return try Frame.transparent(facts.size) }
        if let header = facts.maskedBitmap {
            let frame = try BitmapDrawing.decode(source, header)
            try frame.attachColorProfile(of: source, at: facts.colorProfile)
            return frame
        }
        if let icon = facts.icon { return try BitmapDrawing.decode(source, icon) }
        do throws(TranscodeFailure) {
            return try plain(source, facts: facts, limits: limits)
        } catch {
            // An image with an unreadable profile is decoded without it.
            guard error.code == .corrupt, let profile = facts.png?.profile, let ranges = facts.decoded else {
                throw error
            }
            var facts = facts
            facts.decoded = ranges.flatMap { range in
                guard range.overlaps(profile) else { return [range] }
                return [range.lowerBound..<profile.lowerBound, profile.upperBound..<range.upperBound]
            }
            return try plain(source, facts: facts, limits: limits)
        }
    }

    /// Decodes an image with one call of a decoder.
    private static func plain(
        _ source: borrowing MappedInput, facts: ImageFacts, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        var frame = try decode(source, facts: facts, limits: limits, mark: marks.0)
        // A row of the mark was not decoded, unless the image itself has one. Decoding with another mark decides.
        if passesOverMissingData(facts.codec), hasRow(of: marks.0, in: frame) {
            frame.clear()
            frame = try decode(source, facts: facts, limits: limits, mark: marks.1)
            guard !hasRow(of: marks.1, in: frame) else { throw .corrupt("the image data is truncated") }
        }
        if facts.format == .bmp { frame.makePaletteOpaque() }
        try frame.attachColorProfile(of: source, at: facts.colorProfile)
        if let color = facts.png?.color { return try AlphaMerge.named(color, frame) }
        return try AlphaMerge.apply(facts.alpha, to: frame)
    }

    /// Returns whether FFmpeg's decoder of a codec ignores missing data without reporting it, as its PNG decoder does.
    private static func passesOverMissingData(_ codec: AVCodecID) -> Bool { codec == AV_CODEC_ID_PNG }

    private static let marks: (UInt8, UInt8) = (0xA5, 0x5B)

    private static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, limits: DecodeLimits, mark: UInt8
    ) throws(TranscodeFailure) -> Frame {
        let decoder = try Decoder.open(
            facts.codec, maxPixels: limits.decodedBytes,
            mark: passesOverMissingData(facts.codec) ? mark : nil)
        let packet =
            if facts.isPartlyUncovered {
                try Packet.of(
                    source.withBytes {
                        var correction = GIFFrameCorrection(removesBackground: true)
                        return correction.frame($0)
                    })
            } else if let ranges = facts.decoded, ranges != [0..<source.count] {
                try Packet.of(source, ranges: ranges)
            } else {
                try Packet.of(source)
            }
        let frame = try decoder.image(of: packet)
        guard frame.pixelFormat.isKnown, frame.width > 0, frame.height > 0 else {
            throw .corrupt("the decoder returned no pixels")
        }
        // All renditions are planned with the size in the header.
        guard frame.width == facts.size.width, frame.height == facts.size.height else {
            throw .corrupt("the image does not have the size in its header")
        }
        return frame
    }

    /// Returns whether one of the last two rows is the mark. The last pass of an interlaced image fills only one.
    private static func hasRow(of mark: UInt8, in frame: borrowing Frame) -> Bool {
        let (height, stride) = (frame.height, frame.stride(0))
        let rowBytes = frame.pixelFormat.planeSize(0, width: frame.width, height: height).rowBytes
        return frame.withPlane(0) { bytes in
            for row in max(0, height - 2)..<height where bytes.count >= row * stride + rowBytes {
                var isMarked = true
                for offset in row * stride..<row * stride + rowBytes where bytes[offset] != mark {
                    isMarked = false
                    break
                }
                if isMarked { return true }
            }
            return false
        }
    }

    /// Returns how often, 0…3, both sides can be halved, rounding up like the decoder, and stay at least as wanted.
    static func halvings(from size: PixelSize, to wanted: PixelSize) -> Int {
        var count = 0
        while count < 3, (size.width + (2 << count) - 1) >> (count + 1) >= wanted.width,
            (size.height + (2 << count) - 1) >> (count + 1) >= wanted.height
        {
            count += 1
        }
        return count
    }
}
