/// What the directory of a Windows icon or cursor says, and which of its pictures is the best (Windows SDK, "Icons").
package struct ICOHeader: Sendable, Equatable {
    package enum Kind: Int, Sendable, Equatable {
        case icon = 1
        case cursor = 2
    }

    /// Entries that are looked at; real files have at most a dozen.
    package static let mostEntries = 256
    /// Pictures that are looked for completeness: each may be as long as the file, as entries may overlap.
    static let mostWalks = 4

    package var kind: Kind
    /// Pictures that can be read, in the directory's order.
    package var entries: [ICOEntry]
    /// The complete picture of the most pixels, then of the most bits; where none is complete, the largest.
    package var best: ICOEntry
    /// Whether `best` is complete.
    package var isComplete: Bool

    /// Reads the directory and the headers of its pictures.
    ///
    /// - Throws: `wrongFormat`, `truncated` inside the directory; where no picture can be read, what is wrong with the
    ///   first one.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bytes.littleEndian16(at: 0) == 0, let type = bytes.littleEndian16(at: 2), let kind = Kind(rawValue: type)
        else { throw .wrongFormat }
        guard let count = bytes.littleEndian16(at: 4) else { throw .truncated("the icon directory") }
        var entries: [ICOEntry] = []
        var problem = MediaHeaderError.malformed("icon directory: empty")
        for index in 0..<min(count, Self.mostEntries) {
            do throws(MediaHeaderError) {
                entries.append(try ICOEntry(at: 6 + 16 * index, of: bytes))
            } catch {
                if index == 0 { problem = error }
            }
        }
        let ranked = entries.indices.sorted { Self.rank(entries[$0], $0) > Self.rank(entries[$1], $1) }
        guard let first = ranked.first else { throw problem }
        let whole = ranked.prefix(Self.mostWalks).first { entries[$0].isComplete(of: bytes) }
        self.kind = kind
        self.entries = entries
        best = entries[whole ?? first]
        isComplete = whole != nil
    }

    /// Of two alike the directory's first one is greater.
    private static func rank(_ entry: ICOEntry, _ index: Int) -> (Int, Int, Int) {
        (entry.width.multipliedOrMax(by: entry.height), entry.bitDepth, -index)
    }

    package var width: Int { best.width }
    package var height: Int { best.height }

    /// Bytes of the best picture when decoded, four a pixel.
    package var decodedBytes: Int {
        width.multipliedOrMax(by: height).multipliedOrMax(by: 4)
    }
}
