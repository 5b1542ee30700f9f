package import MediaHeaders

/// The pixels of an icon's bitmap.
///
/// This target draws the bitmaps that FFmpeg's decoders do not show correctly: icons here, and BMP files with unusual
/// masks in `MaskedBitmap`. FFmpeg 5.1's icon demuxer writes a file header before the colors and drops the mask.
///
/// The input is a header of MediaHeaders and the bytes of the file. The output is an array of pixels. The target
/// refuses a file that lacks some of its pixels. Large images are not refused: an icon has at most 1,024 pixels a side
/// by its header, and the caller bounds a BMP.
///
/// The code is pure Swift without pointers, and each loop is bounded by the pixels of the header. The code runs on the
/// caller's thread, in the worker. No component cancels it; the daemon kills the worker.
package struct ICOImage: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// The pixels row by row from the top, at most 4 MiB. A pixel has four bytes: red, green, blue and straight alpha.
    package private(set) var pixels: [UInt8]

    /// Draws the bitmap of an icon.
    ///
    /// If the bitmap has an alpha channel that is not zero in all pixels, the mask is ignored. Otherwise the mask makes
    /// pixels transparent, even those that would invert the screen. A palette index without a color is black.
    ///
    /// - Parameter bytes: The bytes of the icon file that contains the bitmap.
    /// - Throws: `truncated` if the file lacks some of its pixels.
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

    /// Returns the range of a row, counted from the top. The stored rows begin with the bottom row.
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

    /// Returns red, green and blue of each palette color.
    private static func colors(of bitmap: ICOBitmap, in bytes: Span<UInt8>) -> [UInt8] {
        guard let palette = bitmap.palette else { return [] }
        return stride(from: palette.lowerBound, to: palette.upperBound, by: bitmap.colorBytes)
            .flatMap { [bytes[$0 + 2], bytes[$0 + 1], bytes[$0]] }
    }

    /// Returns the palette index of a pixel. The first pixel of a byte is in its highest bits.
    private static func index(_ column: Int, in line: Span<UInt8>, bits: Int) -> Int {
        let perByte = 8 / bits
        let shift = 8 - bits * (column % perByte + 1)
        return Int(line[column / perByte]) >> shift & (1 << bits - 1)
    }
}
