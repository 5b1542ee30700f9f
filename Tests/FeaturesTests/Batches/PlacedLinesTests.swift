import TestSupport
import Testing

@testable import Features

/// Tests of the lines of a file with their places.
@Suite struct PlacedLinesTests {
    private static func parts(
        _ text: [UInt8], pieces count: Int, maxLength: Int, overlap: Int
    ) -> [PlacedLines.Part] {
        var lines = PlacedLines(maxLength: maxLength, overlap: overlap)
        var parts: [PlacedLines.Part] = []
        for start in stride(from: 0, to: text.count, by: count) {
            parts += lines.read(Array(text[start..<min(start + count, text.count)]))
        }
        return parts + [lines.end()].compactMap(\.self)
    }

    @Test(arguments: ["", "a", "a\n", "\n", "a\nbc\n\n d", "\n\na\r\n"], [1, 2, 3, 100])
    func `each line has its number and its place`(text: String, pieces: Int) {
        let bytes = Array(text.utf8)
        let parts = Self.parts(bytes, pieces: pieces, maxLength: 100, overlap: 4)
        var expected = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        if expected.last == [] { expected.removeLast() }
        #expect(parts.map(\.bytes) == expected)
        #expect(parts.map(\.number) == Array(1..<expected.count + 1))
        for part in parts { #expect(Array(bytes[part.start..<part.start + part.length]) == part.bytes && part.isWhole) }
    }

    @Test(arguments: [1, 7, 64]) func `the parts of a long line overlap and cover the line`(pieces: Int) {
        let long = (0..<1_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        let text = Array("x\n".utf8) + long + Array("\ny".utf8)
        let parts = Self.parts(text, pieces: pieces, maxLength: 100, overlap: 10)
        let ofLine = parts.filter { $0.number == 2 }
        #expect(parts.first?.number == 1 && parts.last?.number == 3 && parts.last?.start == 1_003)
        #expect(ofLine.count > 5 && ofLine.allSatisfy { $0.bytes.count <= 100 + pieces + 10 })
        #expect(ofLine.filter(\.isFirst).count == 1 && ofLine.filter(\.isLast).count == 1)
        #expect(ofLine.last?.length == 1_000 && ofLine.allSatisfy { $0.start == 2 && !$0.isWhole })
        let rejoined = ofLine.dropFirst().reduce(ofLine[0].bytes) { $0 + $1.bytes.dropFirst(10) }
        #expect(rejoined == long)
    }

    @Test func `the lines after the last permitted one count as one line`() {
        var lines = PlacedLines(maxLength: 1 << 20, overlap: 4)
        let most = BatchLimits.maxLines
        let parts = lines.read(Array(repeating: UInt8(ascii: "\n"), count: most) + Array("a\nb\n".utf8))
        #expect(parts.count == most)
        let rest = lines.end()
        #expect(rest?.number == most + 1 && rest?.bytes == Array("a\nb\n".utf8) && rest?.isWhole == true)
    }
}
