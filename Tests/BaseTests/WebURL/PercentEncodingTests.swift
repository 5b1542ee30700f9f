import Base
import Testing

@Suite struct PercentEncodingTests {
    @Test func `all bytes except the unreserved ones are encoded`() {
        #expect(PercentEncoding.text(of: "aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.text(of: "a b/c%\u{1}\u{E9}") == "a%20b%2Fc%25%01%C3%A9")
        #expect(PercentEncoding.text(of: "a/b c", keeping: "/") == "a/b%20c")
        #expect(PercentEncoding.encodingNonASCII(in: "/a b\u{E9}%") == "/a b%C3%A9%")
        #expect(PercentEncoding.encodingSpaces(in: "a b\u{E9}") == "a%20b\u{E9}")
    }

    @Test(arguments: [
        ("", ""), ("a%20b", "a b"), ("%c3%A9", "\u{E9}"), ("%252e", "%2e"), ("%00", "\u{0}"), ("a+b", "a+b"),
    ])
    func `each escape is decoded once`(_ text: String, _ decoded: String) throws {
        #expect(try PercentEncoding.decode(text) == decoded)
        #expect(PercentEncoding.decodedBytes(of: text) == Array(decoded.utf8))
    }

    @Test(arguments: ["%", "%4", "a%zz", "%4g", "%%41", "%\u{301}41", "%+1"])
    func `decode refuses a percent sign without two digits, and decodedBytes keeps the sign`(_ text: String) {
        #expect(throws: PercentEncoding.DecodingError.malformedEscape) { try PercentEncoding.decode(text) }
        #expect(!PercentEncoding.isWellFormed(text))
        #expect(PercentEncoding.decodedBytes(of: text).first == text.utf8.first)
    }

    @Test func `bytes that are not UTF-8 are refused as text`() {
        #expect(throws: PercentEncoding.DecodingError.notUTF8) { try PercentEncoding.decode("%FF") }
        #expect(PercentEncoding.decodedBytes(of: "%FF%") == [0xFF, UInt8(ascii: "%")])
    }
}
