import Base
import Testing

/// Tests of the lines of a body that arrives in pieces.
@Suite struct LineBufferTests {
    private static func lines(of pieces: [String], maxLength: Int = 8) -> [String?] {
        var buffer = LineBuffer(maxLength: maxLength)
        var lines: [LineBuffer.Line] = []
        for piece in pieces {
            buffer.append(Array(piece.utf8))
            while let line = buffer.next() { lines.append(line) }
        }
        if let line = buffer.last() { lines.append(line) }
        return lines.map { line in
            if case .whole(let bytes) = line { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }

    @Test(arguments: [
        (["ab\ncd\n"], ["ab", "cd"]),
        (["a", "b\nc", "d"], ["ab", "cd"]),
        (["\n\n", "x"], ["", "", "x"]),
        (["ab\r\ncd"], ["ab\r", "cd"]),
        ([], []),
        ([""], []),
        (["12345678\n"], ["12345678"]),
    ])
    func `pieces can end anywhere in a line`(_ pieces: [String], _ lines: [String]) {
        #expect(Self.lines(of: pieces) == lines)
        #expect(Self.lines(of: pieces.joined().map(String.init)) == lines)
    }

    @Test(arguments: [
        ["123456789\nab\n"], ["1234", "56789", "0123\n", "ab\n"], ["1234567890123\nab"],
    ])
    func `a line that is too long has no bytes, and the next line is whole`(_ pieces: [String]) {
        #expect(Self.lines(of: pieces) == [nil, "ab"])
    }

    @Test func `the last line can be too long`() {
        #expect(Self.lines(of: ["ab\n", "123456", "7890"]) == ["ab", nil])
    }
}
