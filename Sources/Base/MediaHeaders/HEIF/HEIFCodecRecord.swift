/// The record that a decoder needs before its first packet.
///
/// The record is hvcC (ISO 14496-15, 8.3.3.1), av1C (AV1 in ISO base media, 2.3) or jpgC (ISO 23008-12, H.2.3). A jpgC
/// record is the beginning of a JPEG that continues in the item.
struct HEIFCodecRecord {
    var body: Range<Int>?
    var bitDepth: Int?
    var sampling: HEIFImage.Sampling?

    /// Reads the record of the codec. A JPEG may have no record.
    ///
    /// - Throws: `malformed` if the record is missing, too short, or of another version.
    init(
        _ codec: HEIFImage.Codec, _ records: [FourCharacterCode: Range<Int>], of bytes: Span<UInt8>
    ) throws(MediaHeaderError) {
        switch codec {
        case .hevc:
            guard let body = records["hvcC"], body.count >= 23, bytes[body.lowerBound] == 1 else {
                throw .malformed("HEVC configuration")
            }
            let at = body.lowerBound
            self.body = body
            sampling = [.gray, .yuv420, .yuv422, .yuv444][Int(bytes[at + 16] & 3)]
            // Luma and chroma have three bits each, with the bit depth less 8.
            bitDepth = 8 + Int(max(bytes[at + 17] & 7, bytes[at + 18] & 7))
        case .av1:
            guard let body = records["av1C"], body.count >= 4, bytes[body.lowerBound] == 0x81 else {
                throw .malformed("AV1 configuration")
            }
            let flags = bytes[body.lowerBound + 2]
            self.body = body
            // The two flags are high_bitdepth and twelve_bit.
            bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
            // The first flag is monochrome. The others state whether the width and the height of chroma are halved.
            sampling =
                switch flags & 0x1C {
                case 0x10...: .gray
                case 0x0C: .yuv420
                case 0x08: .yuv422
                default: .yuv444
                }
        case .jpeg: body = records["jpgC"]
        }
    }
}

/// The color space of sample values, in the code points of ITU-T H.273.
package struct CodedColor: Sendable, Equatable {
    package var primaries: Int
    package var transfer: Int
    package var matrix: Int
    /// Whether the samples use all values of their bits.
    package var isFullRange: Bool
}
