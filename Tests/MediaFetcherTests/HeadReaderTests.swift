import HTTPTypes
import Testing

@testable import MediaFetcher

@Suite struct HeadReaderTests {
    private func fields(_ lines: [String]) -> [String] {
        var names = FieldNames()
        return HeadReader.fields(Array(lines.joined().utf8), &names).map { "\($0.name)=\($0.value)" }
    }

    @Test(
        arguments: [
            (["A: b\r\n"], ["A=b"]), (["a:b\r\n", "A:c\r\n"], ["a=b", "A=c"]), (["a: \t b \t\r\n"], ["a=b"]),
            (["a:\r\n"], ["a="]),
            (["a: b\n", "c: d\n"], ["a=b", "c=d"]), (["a: b: c\r\n"], ["a=b: c"]),
            // A line that goes on, behind a value and behind none; and one with nothing before it.
            (["a: b\r\n", "  c\r\n", "\td\r\n"], ["a=b c d"]), (["a:\r\n", " b\r\n"], ["a=b"]),
            ([" a: b\r\n", "c: d\r\n"], ["c=d"]),
            (["a: b\r\n", " \r\n", "c: d\r\n"], ["a=b", "c=d"]),
            // No names.
            (["a b: c\r\n", "d: e\r\n"], ["d=e"]), ([": c\r\n"], []), (["abc\r\n"], []), (["é: c\r\n"], []),
        ] as [([String], [String])])
    func `lines become fields`(_ lines: [String], _ expected: [String]) { #expect(fields(lines) == expected) }

    @Test func `bytes that are no UTF-8 leave the others`() {
        var names = FieldNames()
        let fields = HeadReader.fields(Array("a: x".utf8) + [0xE9] + Array("y\r\nb: c\r\n".utf8), &names)
        #expect(fields.map(\.value) == ["x\u{FFFD}y", "c"])
    }

    @Test func `names that share a place are what they are`() {
        var names = FieldNames()
        // Every name of three of these letters, again and again: there are more of them than places.
        let letters = ["a", "b", "C", "-", "e", "F"]
        let all = letters.flatMap { a in letters.flatMap { b in letters.map { a + b + $0 } } }
        for _ in 0..<3 {
            for name in all {
                let bytes = Array(name.utf8)
                let found = names.name(bytes.span)
                #expect(found?.rawName == name)
                #expect(found?.canonicalName == name.lowercased())
            }
        }
    }

    @Test func `a long name is read and not kept`() throws {
        var names = FieldNames()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 90_000)
        let found = names.name(bytes.span)
        #expect(found?.rawName.utf8.count == 90_000)
        let kept = try #require(Mirror(reflecting: names).descendant("names") as? [HTTPField.Name?])
        #expect(kept.count > 0 && kept.allSatisfy { $0 == nil })
    }
}
