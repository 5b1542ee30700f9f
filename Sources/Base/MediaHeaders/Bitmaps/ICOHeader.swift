/// The facts that the directory of a Windows icon or cursor states, and the best of its images (Windows SDK, "Icons").
package struct ICOHeader: Sendable, Equatable {
    package enum Kind: Int, Sendable, Equatable {
        case icon = 1
        case cursor = 2
    }

    /// The maximum number of entries that are read. Real files have at most a dozen.
    package static let maxEntries = 256
    /// The maximum number of images that are walked to find a complete one. Each may be as long as the file.
    static let maxWalks = 4

    package var kind: Kind
    /// The images that can be read, in the order of the directory.
    package var entries: [ICOEntry]
    /// The complete image with the most pixels, then with the most bits. If none is complete, `best` is the largest.
    package var best: ICOEntry
    /// Whether `best` is complete.
    package var isComplete: Bool

    /// Reads the directory and the headers of its images.
    ///
    /// - Throws: `wrongFormat`; `truncated` inside the directory; the error of the first entry if no image can be read.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bytes.littleEndian16(at: 0) == 0, let type = bytes.littleEndian16(at: 2), let kind = Kind(rawValue: type)
        else { throw .wrongFormat }
        guard let count = bytes.littleEndian16(at: 4) else { throw .truncated("the icon directory") }
        var entries: [ICOEntry] = []
        var problem = MediaHeaderError.malformed("icon directory: empty")
        for index in 0..<min(count, Self.maxEntries) {
            do throws(MediaHeaderError) {
                entries.append(try ICOEntry(at: 6 + 16 * index, of: bytes))
            } catch {
                if index == 0 { problem = error }
            }
        }
        let ranked = entries.indices.sorted { Self.rank(entries[$0], $0) > Self.rank(entries[$1], $1) }
        guard let first = ranked.first else { throw problem }
        let whole = ranked.prefix(Self.maxWalks).first { entries[$0].isComplete(of: bytes) }
        self.kind = kind
        self.entries = entries
        best = entries[whole ?? first]
        isComplete = whole != nil
    }

    /// Returns a key for the order of the entries. Among equal images, the directory's first one has the greatest key.
    private static func rank(_ entry: ICOEntry, _ index: Int) -> (Int, Int, Int) {
        (entry.width.multipliedOrMax(by: entry.height), entry.bitDepth, -index)
    }

    package var width: Int { best.width }
    package var height: Int { best.height }

    /// The number of bytes of the best image, decoded with four bytes per pixel.
    package var decodedBytes: Int { width.multipliedOrMax(by: height).multipliedOrMax(by: 4) }
}

/// An image of an icon file. Size and bits come from the image itself, because the directory is often wrong.
package struct ICOEntry: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// A whole PNG file. `PNGHeader` reads it from the range of the entry.
        case png
        case bitmap(ICOBitmap)
    }

    package var content: Content
    /// The width in pixels: 1…2³¹-1 for a PNG, 1…1,024 for a bitmap.
    package var width: Int
    package var height: Int
    /// The bits of a pixel.
    package var bitDepth: Int
    /// The range of the image, clamped to the end of the file.
    package var range: Range<Int>
    /// Whether the file has all bytes that the directory states.
    var isWhole: Bool

    /// Reads an entry of the directory, and the header of its image.
    ///
    /// - Parameter start: The offset of the entry, which has 16 bytes.
    /// - Throws: `truncated`, `malformed`, or `unsupported`.
    init(at start: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard let count = bytes.littleEndian32(at: start + 8), let offset = bytes.littleEndian32(at: start + 12) else {
            throw .truncated("the icon directory")
        }
        guard offset < bytes.count, count > 0 else { throw .truncated("the icon file, before an image") }
        range = offset..<min(bytes.count, offset + count)
        isWhole = offset + count <= bytes.count
        guard bytes.bigEndian32(at: offset) == 0x8950_4E47 else {
            let bitmap = try ICOBitmap(range, of: bytes)
            content = .bitmap(bitmap)
            (width, height, bitDepth) = (bitmap.width, bitmap.height, bitmap.bitDepth)
            return
        }
        // The header chunk ends 33 bytes after the beginning of the PNG.
        let header = try PNGHeader(bytes.extracting(range.prefix(33)))
        content = .png
        width = header.width
        height = header.height
        bitDepth = header.bitDepth * header.colorType.samples
    }

    /// Returns whether the file has the whole image. For a PNG, the function walks all chunks.
    func isComplete(of bytes: Span<UInt8>) -> Bool {
        switch content {
        case .png: isWhole && (try? PNGHeader(bytes.extracting(range)))?.isComplete == true
        case .bitmap(let bitmap): bitmap.isComplete
        }
    }
}
