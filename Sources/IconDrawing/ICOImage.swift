package import MediaHeaders

/// The pixels of an icon's bitmap. FFmpeg 5.1 takes no part in this: its icon demuxer writes a file header before the
/// colours and lets the mask fall.
package struct ICOImage: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Four bytes a pixel, red, green, blue and straight alpha, row by row from the top: at most 4 MiB.
    package private(set) var pixels: [UInt8]

    /// Draws the bitmap.
    ///
    /// Where it has alpha and not all of it is zero, that alone says how opaque a pixel is; else the mask does, and pixels
    /// that would invert the screen are transparent. Numbers that the palette has not are black.
    ///
    /// - Parameter bytes: of the file in whose directory the bitmap was found.
    /// - Throws: `truncated` where some of its pixels are not there.
    package init(_ bitmap: ICOBitmap, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bitmap.pixelArray.upperBound <= bytes.count, (bitmap.mask?.upperBound ?? 0) <= bytes.count,
            (bitmap.palette?.upperBound ?? 0) <= bytes.count
        else { throw .truncated("the icon's pixels") }
        width = bitmap.width
        height = bitmap.height
        pixels = [UInt8](repeating: 255, count: 4 * width * height)
        let palette = Self.colors(of: bitmap, in: bytes)
        let parts = bitmap.masks.map { [$0.red, $0.green, $0.blue, $0.alpha].map(MaskedPart.init) }
        var opacity: UInt8 = 0
        for row in 0..<height {
            let line = bytes.extracting(Self.range(of: row, height, bitmap.pixelArray.lowerBound, bitmap.rowBytes))
            for column in 0..<width {
                let target = 4 * (row * width + column)
                if let parts {
                    let number = UInt32(
                        truncatingIfNeeded: bitmap.bitDepth == 16
                            ? line.littleEndian16(at: 2 * column) ?? 0 : line.littleEndian32(at: 4 * column) ?? 0)
                    for part in 0..<4 { pixels[target + part] = parts[part].value(in: number) }
                    opacity |= pixels[target + 3]
                } else if bitmap.bitDepth == 24 {
                    for part in 0..<3 { pixels[target + part] = line[3 * column + 2 - part] }
                } else {
                    let index = 3 * Self.index(column, in: line, bits: bitmap.bitDepth)
                    for part in 0..<3 { pixels[target + part] = index < palette.count ? palette[index + part] : 0 }
                }
            }
        }
        if (bitmap.masks?.alpha ?? 0) == 0 || opacity == 0 { takeOpacity(from: bitmap, of: bytes) }
    }

    /// A row from the top among rows that begin with the lowest.
    private static func range(of row: Int, _ height: Int, _ start: Int, _ rowBytes: Int) -> Range<Int> {
        let begin = start + (height - 1 - row) * rowBytes
        return begin..<begin + rowBytes
    }

    private mutating func takeOpacity(from bitmap: ICOBitmap, of bytes: Span<UInt8>) {
        for row in 0..<height {
            for column in 0..<width { pixels[4 * (row * width + column) + 3] = 255 }
            guard let mask = bitmap.mask else { continue }
            let line = bytes.extracting(Self.range(of: row, height, mask.lowerBound, bitmap.maskRowBytes))
            for column in 0..<width where Self.index(column, in: line, bits: 1) == 1 {
                pixels[4 * (row * width + column) + 3] = 0
            }
        }
    }

    /// Red, green and blue of each colour.
    private static func colors(of bitmap: ICOBitmap, in bytes: Span<UInt8>) -> [UInt8] {
        guard let palette = bitmap.palette else { return [] }
        return stride(from: palette.lowerBound, to: palette.upperBound, by: bitmap.colorBytes)
            .flatMap { [bytes[$0 + 2], bytes[$0 + 1], bytes[$0]] }
    }

    /// The number of a colour; the first pixel of a byte is in its highest bits.
    private static func index(_ column: Int, in line: Span<UInt8>, bits: Int) -> Int {
        let perByte = 8 / bits
        let shift = 8 - bits * (column % perByte + 1)
        return Int(line[column / perByte]) >> shift & (1 << bits - 1)
    }
}
