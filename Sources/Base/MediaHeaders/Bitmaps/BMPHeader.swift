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

/// The coding of a bitmap's pixels (Windows SDK, "BITMAPINFOHEADER": biCompression; [MS-WMF] 2.1.1.7).
package enum BMPCompression: Int, Sendable, Equatable, CaseIterable {
    case rgb = 0
    case rle8 = 1
    case rle4 = 2
    /// Each pixel is a number of 16 or 32 bits. Masks select the bits of each color.
    case bitfields = 3
    /// A whole JPEG instead of the pixels, for printers.
    case jpeg = 4
    case png = 5
    case alphaBitfields = 6
    case cmyk = 11
    case cmykRLE8 = 12
    case cmykRLE4 = 13

    /// Whether the pixels are coded as runs. The image's size does not tell the number of their bytes.
    package var isRunLength: Bool { self == .rle8 || self == .rle4 }

    /// The name of the compression in the Windows headers.
    package var name: String {
        switch self {
        case .rgb: "BI_RGB"
        case .rle8: "BI_RLE8"
        case .rle4: "BI_RLE4"
        case .bitfields: "BI_BITFIELDS"
        case .jpeg: "BI_JPEG"
        case .png: "BI_PNG"
        case .alphaBitfields: "BI_ALPHABITFIELDS"
        case .cmyk: "BI_CMYK"
        case .cmykRLE8: "BI_CMYKRLE8"
        case .cmykRLE4: "BI_CMYKRLE4"
        }
    }
}

/// A walk over the run-length codes of a bitmap (Windows SDK, "Bitmap Compression") that draws nothing.
enum BMPRuns {
    /// Returns the offset at which the codes end: after an end-of-bitmap code, or after the last row if a writer left
    /// that code out. The result is `nil` if the bytes end earlier.
    ///
    /// - Parameter hasNibbles: Whether a byte holds two pixels (BI_RLE4) instead of one (BI_RLE8).
    static func end(of bytes: Span<UInt8>, from start: Int, rows: Int, hasNibbles: Bool) -> Int? {
        var offset = start
        var endedRows = 0
        while let count = bytes.byte(at: offset), let value = bytes.byte(at: offset + 1) {
            offset += 2
            guard count == 0 else { continue }
            switch value {
            case 0: endedRows += 1
            case 1: return offset
            // The code 2 moves the position to the right and up, by the two bytes that follow.
            case 2: offset += 2
            // The value is a number of pixels that follow uncoded, padded to an even number of bytes.
            default:
                let data = hasNibbles ? (Int(value) + 1) / 2 : Int(value)
                offset += (data + 1) / 2 * 2
            }
        }
        return endedRows >= rows && offset <= bytes.count ? offset : nil
    }
}
