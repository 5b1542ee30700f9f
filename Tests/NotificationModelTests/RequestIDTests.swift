import NotificationModel
import Testing

@Suite struct RequestIDTests {
    @Test(arguments: [
        "msg-1", "a", "7", "_", "a.json", "00000000-0000-0000-0000-0000000000bb", "user@host:1+2=3", "-", "a..b",
        String(repeating: "x", count: 128),
    ])
    func `a plain file name is a valid request ID`(text: String) throws {
        #expect(try #require(RequestID(text)).description == text)
    }

    @Test(arguments: [
        "", ".", "..", ".x", "../../etc/passwd", "a/b", "/", "a\\b", "a\u{0}", "\u{0}a", "a b", "a\tb", "a\n", "a\r\n",
        "a;b",
        "a%2e", "a?b", "a*", "caf\u{E9}", "cafe\u{301}", "\u{664}\u{665}", "\u{FF11}", "\u{1F600}", "\u{202E}gpj",
        String(repeating: "x", count: 129), String(repeating: "\u{E9}", count: 64),
    ])
    func `a text that is not a plain file name is refused`(text: String) {
        #expect(RequestID(text) == nil)
    }

    @Test(arguments: [0, 1, 0xFFFF, 1_800_000_000_123, 0xFFFF_FFFF_FFFF] as [UInt64])
    func `a new request ID is a version 7 UUID with the given millisecond`(milliseconds: UInt64) throws {
        for _ in 0..<64 {
            let id = RequestID.new(millisecondsSince1970: milliseconds)
            let text = id.description
            #expect(text.utf8.count == 36)
            #expect(text.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            #expect(text.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) })
            let digits = text.filter { $0 != "-" }
            #expect(UInt64(digits.prefix(12), radix: 16) == milliseconds)
            #expect(digits.dropFirst(12).first == "7", "the version")
            #expect("89ab".contains(try #require(digits.dropFirst(16).first)), "the variant")
            #expect(RequestID(text) == id)
        }
    }

    @Test func `new ids sort by the millisecond of their creation`() {
        let milliseconds: [UInt64] = [0, 1, 255, 256, 65_535, 65_536, 999_999_999_999, 1_800_000_000_000, 1 << 47]
        let ids = milliseconds.map { RequestID.new(millisecondsSince1970: $0).description }
        #expect(ids.sorted() == ids)
    }

    @Test func `ids of one millisecond differ in the bits before and after the variant`() {
        let ids = (0..<1_000).map { _ in RequestID.new(millisecondsSince1970: 1).description }
        #expect(Set(ids).count == 1_000)
        #expect(Set(ids.map { $0.dropFirst(15).prefix(3) }).count > 500)
        #expect(Set(ids.map { $0.suffix(12) }).count == 1_000)
    }
}
