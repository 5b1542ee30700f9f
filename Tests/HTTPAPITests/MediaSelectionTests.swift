import HTTPTypes
import Testing

@testable import HTTPAPI

/// Tests of conditions and ranges (RFC 9110 §13 and §14) for a file of 1,000 bytes with the entity tag `"t"`.
@Suite struct MediaSelectionTests {
    private func selection(
        _ fields: HTTPFields, method: HTTPRequest.Method = .get, byteCount: Int = 1_000
    ) -> MediaSelection {
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: "/", headerFields: fields)
        return MediaSelection(of: request, entityTag: "\"t\"", byteCount: byteCount)
    }

    @Test(
        arguments: [
            ("bytes=0-99", .part(0..<100)), ("bytes=900-", .part(900..<1_000)), ("bytes=-100", .part(900..<1_000)),
            ("bytes=-5000", .part(0..<1_000)), ("bytes=999-5000", .part(999..<1_000)), ("BYTES=0-0", .part(0..<1)),
            (" bytes = 1-2 ", .part(1..<3)), ("bytes=0-99999999999999999999", .part(0..<1_000)),
            ("bytes=1000-", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable),
            ("bytes=0-1,5-6", .whole), ("bytes=5-4", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("bytes=+1-2", .whole), ("bytes=1--2", .whole), ("bytes", .whole), ("", .whole), ("items=0-1", .whole),
            ("bytes=0x1-2", .whole), ("bytes=１-2", .whole),
        ] as [(String, MediaSelection)])
    func `a range selects its bytes, and other texts are ignored`(_ range: String, _ expected: MediaSelection) {
        #expect(selection([.range: range]) == expected)
    }

    @Test func `an empty file has no ranges`() {
        #expect(selection([.range: "bytes=0-"], byteCount: 0) == .unsatisfiable)
        #expect(selection([.range: "bytes=-1"], byteCount: 0) == .unsatisfiable)
    }

    @Test func `a range of HEAD is ignored`() {
        #expect(selection([.range: "bytes=0-1"], method: .head) == .whole)
    }

    @Test(
        arguments: [
            ("\"t\"", .notModified), ("W/\"t\"", .notModified), ("*", .notModified), ("\"a\", \"t\"", .notModified),
            ("\"a\"", .whole), ("t", .whole), ("", .whole),
        ] as [(String, MediaSelection)])
    func `If-None-Match is compared weakly`(_ tags: String, _ expected: MediaSelection) {
        #expect(selection([.ifNoneMatch: tags]) == expected)
        #expect(selection([.ifNoneMatch: tags], method: .head) == expected)
    }

    @Test(
        arguments: [
            ("\"t\"", .part(0..<2)), ("*", .part(0..<2)), ("W/\"t\"", .otherVersion), ("\"a\"", .otherVersion),
        ] as [(String, MediaSelection)])
    func `If-Match is compared strongly, and comes before the range`(_ tags: String, _ expected: MediaSelection) {
        #expect(selection([.ifMatch: tags, .range: "bytes=0-1"]) == expected)
    }

    @Test(
        arguments: [
            ("\"t\"", .part(0..<2)), ("\"a\"", .whole), ("W/\"t\"", .whole), ("Sun, 06 Nov 1994 08:49:37 GMT", .whole),
        ] as [(String, MediaSelection)])
    func `a range is ignored if If-Range names another file`(_ tag: String, _ expected: MediaSelection) {
        #expect(selection([.ifRange: tag, .range: "bytes=0-1"]) == expected)
    }
}
