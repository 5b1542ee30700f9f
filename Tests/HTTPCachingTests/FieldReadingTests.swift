import HTTPTypes
import Testing

@testable import HTTPCaching

struct FieldReadingTests {
    /// The forms of RFC 9110 §8.8.3.
    @Test(
        arguments: [
            ("\"a\"", "\"a\"", false), ("W/\"a\"", "\"a\"", true), ("\"\"", "\"\"", false),
            ("\"a\\\"", "\"a\\\"", false), ("\"W/\"", "\"W/\"", false), ("\"a b,c\"", "\"a b,c\"", false),
            // These texts are no valid entity tags, but some servers send and recognize them.
            ("abc", "abc", true), ("w/\"a\"", "w/\"a\"", true), ("\"a", "\"a", true), ("W\"a\"", "W\"a\"", true),
            // These texts cannot be sent back to the origin.
            ("", nil, false), ("*", nil, false), ("a, b", nil, false), ("\"a\"b\", \"", nil, false),
            ("\"\u{FFFD}\"", nil, false),
        ] as [(String, String?, Bool)])
    func `an entity tag is read as strong or weak`(text: String, opaque: String?, isWeak: Bool) {
        let tag = EntityTag(text)
        #expect(tag?.opaque == opaque)
        if let tag { #expect(tag.isWeak == isWeak) }
    }

    @Test func `a listed entity tag may contain commas and backslashes`() {
        let tags = EntityTag.list(["\"a,b\", W/\"c\\\", \"d\"", "\"e\""])
        #expect(tags.map(\.text) == ["\"a,b\"", "W/\"c\\\"", "\"d\"", "\"e\""])
    }

    /// The forms of RFC 9110 §14.1.2.
    @Test(
        arguments: [
            ("bytes=0-4", .closed(0, 4)), ("Bytes= 0-4 ", .closed(0, 4)), ("bytes=5-", .from(5)),
            ("bytes=-5", .last(5)),
            ("bytes=4-0", nil), ("bytes=-", nil), ("bytes=", nil), ("bytes", nil), ("bytes=a-b", nil),
            ("bytes=0-1,3-4", nil), ("items=0-4", nil), ("bytes=0-4x", nil), ("bytes=--1", nil), ("bytes=+1-2", nil),
            ("bytes=0-99999999999999999999", nil), ("bytes=0x0-4", nil), ("", nil),
        ] as [(String, ByteRange?)])
    func `a Range field with a single range is read`(text: String, range: ByteRange?) {
        #expect(ByteRange(CacheBench.fields([("Range", text)])) == range)
    }

    @Test(
        arguments: [
            (.closed(0, 4), 10, 0..<5), (.closed(8, 20), 10, 8..<10), (.from(9), 10, 9..<10), (.last(3), 10, 7..<10),
            (.last(30), 10, 0..<10), (.from(10), 10, nil), (.closed(10, 11), 10, nil), (.last(0), 10, nil),
            (.from(0), 0, nil), (.last(1), 0, nil), (.closed(0, 999_999_999_999_999_999), 10, 0..<10),
        ] as [(ByteRange, Int, Range<Int>?)])
    func `a range is cut to the length of the representation`(range: ByteRange, length: Int, bytes: Range<Int>?) {
        #expect(range.resolved(length: length) == bytes)
    }

    /// The forms of RFC 9110 §14.4.
    @Test(
        arguments: [
            ("bytes 0-4/10", 0..<5, 10), ("bytes 5-9/10", 5..<10, 10), ("bytes 0-0/*", 0..<1, nil),
            ("BYTES 0-4/10", 0..<5, 10), ("bytes 4-0/10", nil, nil), ("bytes 0-10/10", nil, nil),
            ("bytes */10", nil, nil), ("bytes 0-4", nil, nil), ("bytes 0-4/x", nil, nil), ("bytes=0-4/10", nil, nil),
            ("items 0-4/10", nil, nil), ("bytes 0-4/10/10", nil, nil), ("bytes -4/10", nil, nil), ("", nil, nil),
            ("bytes 0-4/99999999999999999999", nil, nil), ("bytes 0-99999999999999999999/*", nil, nil),
        ] as [(String, Range<Int>?, Int?)])
    func `a malformed or contradictory Content-Range is ignored`(text: String, bytes: Range<Int>?, length: Int?) {
        let range = ContentRange(CacheBench.fields([("Content-Range", text)]))
        #expect(range?.bytes == bytes)
        #expect(range?.completeLength == length)
    }

    @Test func `a repeated range field is ignored`() {
        #expect(ByteRange(CacheBench.fields([("Range", "bytes=0-1"), ("Range", "bytes=0-1")])) == nil)
        let twice = [("Content-Range", "bytes 0-1/2"), ("Content-Range", "bytes 0-1/2")]
        #expect(ContentRange(CacheBench.fields(twice)) == nil)
    }

    /// The fields of RFC 9111 §3.1.
    @Test func `the fields that concern only the connection are removed from a message`() {
        let fields = CacheBench.fields([
            ("Connection", "X-Hop, close"), ("X-Hop", "1"), ("Keep-Alive", "timeout=5"), ("TE", "trailers"),
            ("Transfer-Encoding", "chunked"), ("Upgrade", "h2c"), ("Proxy-Authenticate", "Basic"), ("ETag", "\"a\""),
            ("Set-Cookie", "a=b"),
        ])
        #expect(ConnectionFields.removed(from: fields).map(\.name.canonicalName) == ["etag", "set-cookie"])
    }
}
