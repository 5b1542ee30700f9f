package import MediaHeaders

/// The pixels of a BMP with masks that FFmpeg's decoder does not support, or with a header that it refuses.
package struct MaskedBitmap: Sendable {
    private let header: BMPHeader
    private let bytesOfPixel: Int
    /// The color channels and the alpha of a pixel, in the order red, green, blue and alpha.
    private let parts: [MaskedPart]
    /// Whether a pixel uses the bitmap's alpha mask. As in browsers, a file whose alpha is zero everywhere is opaque.
    package let hasAlpha: Bool

    /// Prepares to draw a bitmap.
    ///
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

    /// Draws a row. A pixel is red, green and blue, followed by the straight alpha if `hasAlpha` is true.
    ///
    /// - Parameter row: The number of the row; 0 is the top row.
    /// - Parameter bytes: The bytes of the file.
    /// - Parameter start: The offset of the row in the target, which must have room for the whole row.
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

/// The bits of one color or of the alpha within the integer of a pixel.
struct MaskedPart: Sendable {
    private let mask: UInt32
    private let shift: UInt32
    /// The greatest value of the part, which stands for 255.
    private let most: UInt32

    /// Creates a part of a pixel.
    ///
    /// - Parameter mask: The bits of the part; 0 if a pixel does not have it.
    init(_ mask: UInt32) {
        self.mask = mask
        shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
        most = mask >> shift
    }

    /// Returns the value of the part, 0…255; 0 if a pixel does not have it.
    func value(in number: UInt32) -> UInt8 {
        guard most > 0 else { return 0 }
        let part = UInt64((number & mask) >> shift)
        return UInt8((part * 255 + UInt64(most) / 2) / UInt64(most))
    }
}
