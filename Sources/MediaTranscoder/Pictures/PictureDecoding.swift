import CFFmpeg
import TranscodeProtocol

/// Decodes a still, or an animation's first picture, straight from the mapped bytes, without any demuxer.
enum PictureDecoding {
    /// - Parameter wanted: the largest size that is made of the picture, as stored: a JPEG is decoded at the smallest
    ///   halving that is not below it.
    /// - Throws: `corrupt` when the decoder finds damage.
    static func decode(
        _ source: borrowing MappedInput, facts: PictureFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let mostPixels = facts.format == .jpeg ? limits.scalablePixels : limits.decodedBytes
        let decoder = try Decoder.open(
            facts.codec, mostPixels: mostPixels,
            halvings: facts.canHalve ? halvings(from: facts.size, to: wanted) : 0)
        let packet =
            if let ranges = facts.decoded, ranges != [0..<source.count] {
                try Packet.of(source, ranges: ranges)
            } else {
                try Packet.of(source)
            }
        let frame = try decoder.picture(of: packet)
        guard frame.pixelFormat.isKnown, frame.width > 0, frame.height > 0 else {
            throw TranscodeFailure(.corrupt, "the decoder gave no pixels")
        }
        return frame
    }

    /// How often both sides can be halved (rounding up, as the decoder does) without falling below the wanted size.
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
