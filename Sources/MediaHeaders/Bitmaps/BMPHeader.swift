/// The facts that the headers of a BMP state, read without decoding. All other bitmaps than those that FFmpeg 5.1's decoder
/// reads rightly, or that masks describe, are an error.
package struct BMPHeader: Sendable, Equatable {
    /// Pixels, 1…2³¹-1.
    package var width: Int
    package var height: Int
    /// Whether the first row is the highest; else it is the lowest.
    package var isTopDown: Bool
    /// Bits of a pixel: 1, 4, 8, 16, 24 or 32.
    package var bitDepth: Int
    package var compression: BMPCompression
    /// The masks of a bitmap that FFmpeg's decoder does not read, so that `MaskedBitmap` draws it; `nil` for all others.
    package var masks: DIBMasks?
    /// The colours, where a pixel is the number of one; `nil` for a grey picture of 8 bits too.
    package var palette: Range<Int>?
    /// The pixels, as far as they are there.
    package var pixelArray: Range<Int>
    /// Bytes of a row with its filling.
    package var rowBytes: Int
    /// Whether a mask names bits that say how opaque a pixel is.
    package var hasAlpha: Bool
    /// Whether a pixel of 32 bits has a byte that no mask names. FFmpeg takes it for alpha where it is not zero
    /// everywhere; it means nothing, and the picture is opaque.
    package var hasUnusedByte: Bool
    /// Whether all pixels are there: every row with its filling, or runs up to their end.
    package var isComplete: Bool
    /// An ICC profile. FFmpeg does not hand it on.
    package var profile: Range<Int>?

    /// Reads the headers, and walks the codes of a run-length coded one.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the pixels, `malformed`, `unsupported`. A file that ends later is no
    ///   error: `isComplete` says so.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        self = try BMPWalk(bytes).header(of: bytes)
    }

    init(
        width: Int, height: Int, isTopDown: Bool, bitDepth: Int, compression: BMPCompression,
        masks: DIBMasks?, palette: Range<Int>?, pixelArray: Range<Int>, rowBytes: Int, hasAlpha: Bool,
        hasUnusedByte: Bool, isComplete: Bool,
        profile: Range<Int>?
    ) {
        self.width = width
        self.height = height
        self.isTopDown = isTopDown
        self.bitDepth = bitDepth
        self.compression = compression
        self.masks = masks
        self.palette = palette
        self.pixelArray = pixelArray
        self.rowBytes = rowBytes
        self.hasAlpha = hasAlpha
        self.hasUnusedByte = hasUnusedByte
        self.isComplete = isComplete
        self.profile = profile
    }

    /// Bytes of the decoded picture as the decoder lays it out: one a pixel with a palette, four if it is drawn by its
    /// masks, else those of the pixel.
    package var decodedBytes: Int {
        width.multipliedOrMax(by: height).multipliedOrMax(by: masks == nil ? max(1, bitDepth / 8) : 4)
    }
}
