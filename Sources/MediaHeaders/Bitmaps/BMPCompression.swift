/// How the pixels of a bitmap are coded (Windows SDK, "BITMAPINFOHEADER": biCompression; [MS-WMF] 2.1.1.7).
package enum BMPCompression: Int, Sendable, Equatable, CaseIterable {
    case rgb = 0
    case rle8 = 1
    case rle4 = 2
    /// Each pixel is a number of 16 or 32 bits, whose parts the masks name.
    case bitfields = 3
    /// A whole JPEG in place of the pixels, for printers.
    case jpeg = 4
    case png = 5
    case alphaBitfields = 6
    case cmyk = 11
    case cmykRLE8 = 12
    case cmykRLE4 = 13

    /// Whether the pixels are runs, so that their bytes do not follow from the size.
    package var isRunLength: Bool {
        self == .rle8 || self == .rle4
    }

    /// The name in the Windows headers.
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

/// The run-length codes of a bitmap (Windows SDK, "Bitmap Compression"), walked without drawing.
enum BMPRuns {
    /// Where the codes end: behind an end of bitmap, or behind the last row of a writer that leaves that out. `nil` when
    /// the bytes end first.
    ///
    /// - Parameter hasNibbles: two pixels a byte (BI_RLE4) in place of one (BI_RLE8).
    static func end(of bytes: Span<UInt8>, from start: Int, rows: Int, hasNibbles: Bool) -> Int? {
        var offset = start
        var endedRows = 0
        while let count = bytes.byte(at: offset), let value = bytes.byte(at: offset + 1) {
            offset += 2
            guard count == 0 else { continue }
            switch value {
            case 0: endedRows += 1
            case 1: return offset
            // A step right and up.
            case 2: offset += 2
            // So many pixels as they are, filled to an even number of bytes.
            default:
                let data = hasNibbles ? (Int(value) + 1) / 2 : Int(value)
                offset += (data + 1) / 2 * 2
            }
        }
        return endedRows >= rows && offset <= bytes.count ? offset : nil
    }
}
