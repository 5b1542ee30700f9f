import Lab
import NIOHTTP1
import Testing

struct RequestConditionsTests {
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let shown: HTTPHeaders = ["ETag": "\"a\"", "Last-Modified": date]
    private static let range = [("Range", "bytes=2-3")]

    private static func outcome(
        _ fields: [(String, String)], _ shown: HTTPHeaders = shown, method: HTTPMethod = .GET
    ) -> RequestConditions.Outcome {
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: HTTPHeaders(fields))
        return RequestConditions(of: head).outcome(for: shown, size: 10)
    }

    @Test(
        arguments: [
            ("If-None-Match", "\"a\"", .notModified), ("If-None-Match", "W/\"a\"", .notModified),
            ("If-None-Match", "\"x\", \"a\"", .notModified), ("If-None-Match", "*", .notModified),
            ("If-None-Match", "\"x\"", .whole), ("If-None-Match", "a", .whole), ("If-None-Match", "", .whole),
            ("If-Modified-Since", date, .notModified), ("If-Modified-Since", later, .notModified),
            ("If-Modified-Since", earlier, .whole), ("If-Modified-Since", "yesterday", .whole),
            ("If-Match", "\"a\"", .whole), ("If-Match", "*", .whole), ("If-Match", "\"x\"", .preconditionFailed),
            ("If-Match", "W/\"a\"", .preconditionFailed),
            ("If-Unmodified-Since", date, .whole), ("If-Unmodified-Since", later, .whole),
            ("If-Unmodified-Since", earlier, .preconditionFailed), ("If-Unmodified-Since", "tomorrow", .whole),
            ("Range", "bytes=2-3", .part(2..<4)), ("Range", "bytes=10-", .unsatisfiableRange),
            ("Range", "bytes=0-1,3-4", .whole),
        ] as [(String, String, RequestConditions.Outcome)])
    func `the conditions and the range of a request decide the outcome`(
        name: String, value: String, outcome: RequestConditions.Outcome
    ) {
        #expect(Self.outcome([(name, value)]) == outcome)
    }

    @Test(
        arguments: [
            ("\"a\"", .part(2..<4)), ("\"x\"", .whole), ("W/\"a\"", .whole), (date, .part(2..<4)),
            (earlier, .whole), (later, .whole), ("", .whole), ("*", .whole),
        ] as [(String, RequestConditions.Outcome)])
    func `If-Range permits a range only for the same file`(validator: String, outcome: RequestConditions.Outcome) {
        #expect(Self.outcome(Self.range + [("If-Range", validator)]) == outcome)
    }

    @Test func `a tag takes precedence over a date, and a tag or a date takes precedence over a range`() {
        #expect(Self.outcome([("If-None-Match", "\"x\""), ("If-Modified-Since", Self.date)]) == .whole)
        #expect(Self.outcome([("If-Match", "\"a\""), ("If-Unmodified-Since", Self.earlier)]) == .whole)
        #expect(Self.outcome(Self.range + [("If-None-Match", "\"a\"")]) == .notModified)
        #expect(Self.outcome(Self.range + [("If-Match", "\"x\"")]) == .preconditionFailed)
        #expect(Self.outcome([("If-Match", "\"x\""), ("If-None-Match", "\"a\"")]) == .preconditionFailed)
    }

    @Test func `a HEAD request has conditions and no ranges`() {
        #expect(Self.outcome(Self.range, method: .HEAD) == .whole)
        #expect(Self.outcome([("If-None-Match", "\"a\"")], method: .HEAD) == .notModified)
    }

    @Test func `a validator that the client has not seen does not match`() {
        #expect(Self.outcome([("If-None-Match", "\"a\"")], [:]) == .whole)
        #expect(Self.outcome([("If-Modified-Since", Self.date)], [:]) == .whole)
        #expect(Self.outcome(Self.range + [("If-Range", Self.date)], ["ETag": "\"a\""]) == .whole)
    }

    @Test func `a weak tag is sufficient for a 304, but not for a range`() {
        let weak: HTTPHeaders = ["ETag": "W/\"a\""]
        #expect(Self.outcome([("If-None-Match", "W/\"a\"")], weak) == .notModified)
        #expect(Self.outcome([("If-None-Match", "\"a\"")], weak) == .notModified)
        #expect(Self.outcome(Self.range + [("If-Range", "W/\"a\"")], weak) == .whole)
        #expect(Self.outcome([("If-Match", "W/\"a\"")], weak) == .preconditionFailed)
    }
}
