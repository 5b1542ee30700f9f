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
