import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// TIFFs whose entries are not in the order of their tags.
@Suite struct TIFFOrderTests {
    /// A TIFF with another directory, which stands at its end.
    private struct File {
        let bytes: [UInt8]
        let entries: [[UInt8]]

        init(_ name: String) throws {
            bytes = Workbench.fixture(name)
            try #require(bytes.count > 100)
            let start = Self.number(bytes, at: 4, 4)
            let count = Self.number(bytes, at: start, 2)
            let all = bytes
            entries = (0..<count).map { Array(all[start + 2 + 12 * $0..<start + 14 + 12 * $0]) }
        }

        private static func number(_ bytes: [UInt8], at place: Int, _ count: Int) -> Int {
            let field = bytes[place..<place + count].map(Int.init)
            return (bytes[0] == 0x49 ? field.reversed() : field).reduce(0) { $0 << 8 | $1 }
        }

        private func coded(_ number: Int, _ count: Int) -> [UInt8] {
            let little = (0..<count).map { UInt8(number >> (8 * $0) & 255) }
            return bytes[0] == 0x49 ? little : little.reversed()
        }

        func with(_ entries: [[UInt8]]) -> [UInt8] {
            let start = (bytes.count + 1) / 2 * 2
            let filling = [UInt8](repeating: 0, count: start - bytes.count)
            return Array(bytes[..<4]) + coded(start, 4) + bytes[8...] + filling + coded(entries.count, 2)
                + entries.flatMap(\.self) + [0, 0, 0, 0]
        }
    }

    private func shown(_ bytes: [UInt8]) throws -> [[UInt8]] {
        let outcome = Workbench.run(bytes, as: .tiff, [Workbench.order(.thumbnail, 64)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        return try Workbench.rows(of: outcome.outputs[0], as: SourceFormat(report.format))
    }

    @Test(arguments: [
        "tiff-lzw.tif", "tiff-deflate-rgba.tif", "tiff-jpeg.tif", "tiff-orientation-6.tif", "tiff-cmyk.tif",
    ])
    func `entries in another order, or twice, show the same picture`(_ name: String) throws {
        let file = try File(name)
        let whole = try shown(file.bytes)
        let entries = file.entries
        // The first of two entries with one tag counts.
        var other = entries[0]
        (other[8], other[9]) = (1, 1)
        for order in [
            entries, entries.reversed(), [entries[1], entries[0]] + entries.dropFirst(2), entries + [other],
            entries + entries, [entries[3]] + entries,
        ] {
            #expect(try shown(file.with(order)) == whole)
        }
    }
}
