import HTTPTypes
import TestSupport
import Testing

@testable import HTTPCaching

@Suite struct FieldLinesTests {
    private func lines(_ lines: [String]) -> FieldLines { Self.lines(lines.map { Array($0.utf8) }) }

    private static func lines(_ lines: [[UInt8]]) -> FieldLines {
        var ends: [Int] = []
        for line in lines { ends.append((ends.last ?? 0) + line.count) }
        return FieldLines(lines.flatMap(\.self), lineEnds: ends)
    }

    @Test(
        arguments: [
            ([], []),
            (["A: b\r\n"], ["A=b"]), (["a:b\r\n", "A:c\r\n"], ["a=b", "A=c"]), (["a: \t b \t\r\n"], ["a=b"]),
            (["a:\r\n"], ["a="]),
            (["a: b\n", "c: d\n"], ["a=b", "c=d"]), (["a: b: c\r\n"], ["a=b: c"]),
            // These lines continue a value, an empty value, and no field at all.
            (["a: b\r\n", "  c\r\n", "\td\r\n"], ["a=b c d"]), (["a:\r\n", " b\r\n"], ["a=b"]),
            ([" a: b\r\n", "c: d\r\n"], ["c=d"]),
            (["a: b\r\n", " \r\n", "c: d\r\n"], ["a=b", "c=d"]),
            // These lines have no valid name.
            (["a b: c\r\n", "d: e\r\n"], ["d=e"]), ([": c\r\n"], []), (["abc\r\n"], []), (["é: c\r\n"], []),
        ] as [([String], [String])])
    func `header lines are parsed into fields`(_ written: [String], _ expected: [String]) {
        #expect(lines(written).fields.map { "\($0.name)=\($0.value)" } == expected)
    }

    @Test func `invalid UTF-8 in a value does not affect the other fields`() {
        let lines = Self.lines([Array("a: x".utf8) + [0xE9] + Array("y\r\n".utf8), Array("b: c\r\n".utf8)])
        #expect(lines.fields.map(\.value) == ["x\u{FFFD}y", "c"])
    }

    @Test(
        arguments: [
            [:], [.accept: "image/*"], [.init("X-Odd")!: "é: b", .eTag: "\"x\"", .contentType: ""],
        ] as [HTTPFields])
    func `header fields do not change when they are written and read`(_ fields: HTTPFields) {
        let written = FieldLines(fields)
        #expect(FieldLines(written.bytes).fields == fields)
        for name in [HTTPField.Name.accept, .eTag, .contentType] {
            #expect(written.value(of: name) == fields[name])
        }
    }

    @Test func `a text is split into lines at line feeds, with or without carriage returns`() {
        let text = "a: b\r\nc: d\n e\r\n\r\nf: g"
        #expect(FieldLines(Array(text.utf8)).fields.map { "\($0.name)=\($0.value)" } == ["a=b", "c=d e", "f=g"])
    }

    /// The value of one field must equal the value among all fields, before and after all fields are parsed.
    @Test(
        arguments: [
            ["Content-Type: image/png\r\n"], ["content-type:image/png\r\n", "ETag: \"x\"\r\n"],
            ["X-Content-Type: a\r\n", "Content-Typ: b\r\n", "Content-Types: c\r\n"],
            ["CONTENT-TYPE: \t image/png; a=b \t\r\n"], ["Content-Type:\r\n"], ["Content-Type\r\n"],
            ["Content-Type : image/png\r\n"], ["Content\rType: image/png\r\n"], ["Content-Type: a: b"],
            // These lines are repeated or folded, follow a folded line, or contain bytes that are not ASCII or not
            // valid in a value.
            ["Content-Type: a\r\n", "content-type: b\r\n"], ["Content-Type: a\r\n", " b\r\n"],
            ["a: b\r\n", " Content-Type: c\r\n", "Content-Type: d\r\n"], ["Content-Type: é\r\n"],
            ["Content-Type: a\u{0}b\r\n"], ["Content-Type: a\u{7F}b\r\n"], [],
        ] as [[String]])
    func `a lookup of one field returns the same value as parsing all fields`(_ written: [String]) {
        let (alone, among) = (lines(written), lines(written).fields)
        for name in [HTTPField.Name.contentType, .eTag, .location] {
            #expect(alone.value(of: name) == among.value(of: name))
        }
        _ = alone.fields
        #expect(alone.value(of: .contentType) == among.value(of: .contentType))
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `a lookup of one field in random lines returns the same value as parsing all fields`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["etag", "ETag", "a", ":", ": ", " ", "\t", "\"", "é", "\u{0}", "\r", "-", "b"]
        let written = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
                + (Bool.random(using: &random) ? "\r\n" : "\n")
        }
        for name in [HTTPField.Name.eTag, HTTPField.Name("a")!, HTTPField.Name("etag-b")!] {
            #expect(lines(written).value(of: name) == lines(written).fields.value(of: name), "\(written)")
        }
    }

    @Test func `response heads with equal fields are equal, whether they were created from lines or from fields`()
        throws
    {
        let came = ResponseHead(status: 200, lines: lines(["Content-Type: image/png\r\n", "A: b\r\n"]))
        let made = ResponseHead(status: 200, fields: [.contentType: "image/png", HTTPField.Name("A")!: "b"])
        #expect(came == made)
        #expect(came != ResponseHead(status: 200, fields: [.contentType: "image/png"]))
        var changed = came
        changed.fields[.contentType] = nil
        #expect(changed.value(of: .contentType) == nil && came.value(of: .contentType) == "image/png")
    }

    @Test func `lines of removed names are missing, and the other lines keep their order and their bytes`() throws {
        let lines = lines(["ETag: \"a\"\r\n", "CONNECTION:close\r\n", "Date:  x \r\n", "Connections: 1\r\n"])
        let rest = try #require(lines.removing(["connection", "te"]))
        #expect(String(decoding: rest.bytes, as: UTF8.self) == "ETag: \"a\"\r\nDate:  x \r\nConnections: 1\r\n")
        #expect(rest.fields.map(\.name.rawName) == ["ETag", "Date", "Connections"])
    }

    @Test func `no line is removed if a line continues another line`() {
        #expect(lines(["A: 1\r\n", " 2\r\n", "TE: x\r\n"]).removing(["te"]) == nil)
    }

    @Test func `a field has one value for each of its lines`() {
        let lines = lines(["Vary: a\r\n", "Expires: 0\r\n", "vary: b, c\r\n"])
        #expect(lines.values(of: .expires) == ["0"])
        #expect(lines.values(of: .vary) == ["a", "b, c"])
        #expect(lines.values(of: .eTag).isEmpty)
    }
}
