/// The facts that the headers of a BMP state. No pixel is decoded for them.
///
/// A bitmap is an error, unless FFmpeg 5.1's decoder reads it correctly or its masks describe its pixels.
package struct BMPHeader: Sendable, Equatable {
    /// The width in pixels, 1…2³¹-1.
    package var width: Int
    package var height: Int
    /// Whether the first stored row is the top row, instead of the bottom row.
    package var isTopDown: Bool
    /// The bits of a pixel: 1, 4, 8, 16, 24 or 32.
    package var bitDepth: Int
    package var compression: BMPCompression
    /// The masks with which `MaskedBitmap` draws a bitmap that FFmpeg's decoder does not read; `nil` for others.
    package var masks: DIBMasks?
    /// The range of the palette. `nil` if the pixels are no palette indices, and for a gray image of 8 bits.
    package var palette: Range<Int>?
    /// The range of the pixels that the file has.
    package var pixelArray: Range<Int>
    /// The number of bytes of a row with its padding.
    package var rowBytes: Int
    /// Whether a mask selects bits for the opacity of a pixel.
    package var hasAlpha: Bool
    /// Whether a pixel of 32 bits has a byte that no mask selects.
    ///
    /// FFmpeg takes this byte for alpha if it is not zero in all pixels, but it has no meaning.
    package var hasUnusedByte: Bool
    /// Whether the file has all pixels: each row with its padding, or runs up to their end.
    package var isComplete: Bool
    /// The range of the ICC profile; `nil` if none exists. FFmpeg does not pass the profile on.
    package var profile: Range<Int>?

    /// The number of bytes of the decoded image in the layout of the decoder.
    ///
    /// A pixel has one byte with a palette, four if it is drawn by its masks, or else those of the stored pixel.
    package var decodedBytes: Int {
        width.multipliedOrMax(by: height).multipliedOrMax(by: masks == nil ? max(1, bitDepth / 8) : 4)
    }
}

extension BMPHeader {
    /// Reads the headers, and walks the codes of a run-length coded bitmap.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the pixels, `malformed`, or `unsupported`. A file that ends later is
    ///   no error, but `isComplete` is false.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) { self = try BMPWalk(bytes).header(of: bytes) }
}
