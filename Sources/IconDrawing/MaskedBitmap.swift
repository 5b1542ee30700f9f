package import MediaHeaders

/// The pixels of a BMP whose masks FFmpeg's decoder does not know, or whose header it does not read.
package struct MaskedBitmap: Sendable {
    private let header: BMPHeader
    private let bytesOfPixel: Int
    /// Red, green, blue and alpha.
    private let parts: [MaskedPart]
    /// Whether a mask names bits of alpha, and a pixel uses them. A file whose alpha is zero everywhere is opaque, as in
    /// browsers.
    package let hasAlpha: Bool

    /// - Returns: `nil` for a bitmap without masks, or without all of its pixels.
    package init?(_ header: BMPHeader, of bytes: Span<UInt8>) {
        guard let masks = header.masks, header.isComplete, header.pixelArray.upperBound <= bytes.count else {
            return nil
        }
        self.header = header
        bytesOfPixel = header.bitDepth / 8
        parts = [masks.red, masks.green, masks.blue, masks.alpha].map(MaskedPart.init)
        var opacity: UInt32 = 0
        if masks.alpha != 0 {
            for row in 0..<header.height {
                let start = Self.start(of: row, header)
                for column in 0..<header.width {
                    opacity |= Self.number(bytes, at: start + column * bytesOfPixel, bytesOfPixel) & masks.alpha
                }
                if opacity != 0 { break }
            }
        }
        hasAlpha = opacity != 0
    }

    /// Draws a row, of which 0 is the highest: red, green and blue of each pixel, and the straight alpha if there is one.
    ///
    /// - Parameters:
    ///   - bytes: those of the file.
    ///   - start: the offset of the row in the target, which has room for the rest of the row.
    package func draw(row: Int, of bytes: Span<UInt8>, into target: inout MutableSpan<UInt8>, at start: Int) {
        let count = hasAlpha ? 4 : 3
        let source = Self.start(of: row, header)
        for column in 0..<header.width {
            let number = Self.number(bytes, at: source + column * bytesOfPixel, bytesOfPixel)
            for part in 0..<count { target[start + column * count + part] = parts[part].value(in: number) }
        }
    }

    private static func start(of row: Int, _ header: BMPHeader) -> Int {
        header.pixelArray.lowerBound + (header.isTopDown ? row : header.height - 1 - row) * header.rowBytes
    }

    private static func number(_ bytes: Span<UInt8>, at offset: Int, _ count: Int) -> UInt32 {
        let low = UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
        return count == 2 ? low : low | UInt32(bytes[offset + 2]) << 16 | UInt32(bytes[offset + 3]) << 24
    }
}

/// One colour, or alpha, in the number of a pixel.
struct MaskedPart: Sendable {
    private let mask: UInt32
    private let shift: UInt32
    /// The greatest value, which is full strength.
    private let most: UInt32

    /// - Parameter mask: 0 for a part that is not in the number.
    init(_ mask: UInt32) {
        self.mask = mask
        shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
        most = mask >> shift
    }

    /// Returns the value, 0…255; 0 for a part that is not there.
    func value(in number: UInt32) -> UInt8 {
        guard most > 0 else { return 0 }
        let part = UInt64((number & mask) >> shift)
        return UInt8((part * 255 + UInt64(most) / 2) / UInt64(most))
    }
}
