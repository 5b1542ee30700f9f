/// What a decoder is told before its first packet: hvcC (ISO 14496-15, 8.3.3.1), av1C (AV1 in ISO base media, 2.3), or
/// jpgC (ISO 23008-12, H.2.3), the beginning of a JPEG that its item goes on with.
struct HEIFCodecRecord {
    var body: Range<Int>?
    var bitDepth: Int?
    var sampling: HEIFImage.Sampling?

    /// The record that the codec needs; a JPEG may be whole without one.
    ///
    /// - Throws: `malformed` when it is missing, short or of another version.
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
            sampling = [.grey, .yuv420, .yuv422, .yuv444][Int(bytes[at + 16] & 3)]
            // Three bits each for luma and colour differences, less 8.
            bitDepth = 8 + Int(max(bytes[at + 17] & 7, bytes[at + 18] & 7))
        case .av1:
            guard let body = records["av1C"], body.count >= 4, bytes[body.lowerBound] == 0x81 else {
                throw .malformed("AV1 configuration")
            }
            let flags = bytes[body.lowerBound + 2]
            self.body = body
            // high_bitdepth and twelve_bit.
            bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
            // monochrome, then whether width and height are halved.
            sampling =
                if flags & 0x10 != 0 { .grey } else {
                    switch flags & 0x0C {
                    case 0x0C: .yuv420
                    case 0x08: .yuv422
                    default: .yuv444
                    }
                }
        case .jpeg: body = records["jpgC"]
        }
    }
}

/// How sample values stand for colours, in the code points of ITU-T H.273.
package struct CodedColour: Sendable, Equatable {
    package var primaries: Int
    package var transfer: Int
    package var matrix: Int
    /// Whether samples use all values of their bits.
    package var isFullRange: Bool

    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
