import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of responses from real origins that violate the standard. Browsers show most of them.
@Suite(.timeLimit(.minutes(2))) struct OddOriginTests {
    struct Oddity: Sendable, CustomTestStringConvertible {
        var name: String
        var status = "200 OK"
        /// The header lines, in which `LENGTH` stands for the number of bytes of the body.
        var fields: [String]
        var body: [UInt8] = Self.image
        var hangsUp = true
        /// The expected reason; `nil` if the image is accepted.
        var reason: DegradationReason?
        var detail: String?
        /// The reason of a fault of the content encoding with which the image is accepted.
        var fault: DegradationReason?
        /// The decoded body of an image that is accepted.
        var expected = Self.image

        var testDescription: String { name }
        static let image = (try? Fixtures.bytes("media/photo-small.jpg")) ?? []
        static let length = "Content-Length: LENGTH"

        static func encoded(
            _ name: String, _ body: [UInt8] = image, _ reason: DegradationReason? = nil, _ detail: String? = nil
        ) -> Oddity {
            Oddity(
                name: "Content-Encoding: \(name)", fields: [length, "Content-Encoding: \(name)"], body: body,
                reason: reason, detail: detail)
        }

        static func text(_ name: String, _ start: String, _ detail: String) -> Oddity {
            let body = Array(start.utf8) + Array(String(repeating: "<p>more</p> ", count: 10_000).utf8)
            return Oddity(
                name: name, fields: ["Content-Type: image/jpeg"], body: body, hangsUp: false,
                reason: .unsupportedMedia, detail: detail)
        }
    }

    private static let gzip = ContentCoding.gzip.encode(Oddity.image)
    private static let half = Oddity.image.count / 2
    private static let members =
        ContentCoding.gzip.encode(Array(Oddity.image[..<half]))
        + ContentCoding.gzip.encode(Array(Oddity.image[half...]))
    /// Raw Deflate, which `zlib` has between the header and the checksum of zlib's format.
    private static let deflate = Array(gzip[10..<(gzip.count - 8)])
    private static let zlib = [0x78, 0x01] + deflate + adler32(Oddity.image)
    private static var damagedGzip: [UInt8] {
        var bytes = gzip
        bytes[11] ^= 0xFF
        return bytes
    }

    private static func adler32(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes { (low, high) = ((low + UInt32(byte)) % 65_521, (high + low + UInt32(byte)) % 65_521) }
        return [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
    }

    private static let encodings: [Oddity] =
        [
            "utf-8", "UTF-8", "aws-chunked", "binary", "base64", "8bit", "7bit", "null", "DEFAULT", "none", "",
            "identity", "identity, identity", "image/jpeg", "undefined", "utf-8, binary", "\"gzip\"", "*",
        ].map { .encoded($0) } + [
            .encoded("gzip", gzip), .encoded("GZIP", gzip), .encoded("x-gzip", gzip), .encoded("gzip, utf-8", gzip),
            .encoded("aws-chunked, gzip", gzip), .encoded("gzip"), .encoded("x-gzip"), .encoded("gzip", members),
            .encoded("gzip", gzip + [0, 0, 0]), .encoded("gzip", gzip + Array("behind it".utf8)),
            .encoded("deflate", zlib), .encoded("deflate", deflate), .encoded("gzip", damagedGzip, .unsupportedMedia),
            .encoded("gzip", Array(gzip.dropLast(100)), .truncated),
            .encoded("br", ContentCoding.br.encode(Oddity.image), .unsupportedMedia),
            .encoded("zstd", ContentCoding.zstd.encode(Oddity.image), .unsupportedMedia),
            .encoded("compress", [0x1F, 0x9D, 0x90], .unsupportedMedia),
            .encoded("gzip, gzip", ContentCoding.gzip.encode(gzip), .unsupportedMedia),
            .encoded("gzip, br", gzip, .unsupportedMedia),
        ]

    private static func faulty(
        _ name: String, _ coding: String, _ body: some Sequence<UInt8>, _ fault: DegradationReason?,
        length: String = Oddity.length, hangsUp: Bool = true, expected: [UInt8] = Oddity.image
    ) -> Oddity {
        Oddity(
            name: name, fields: [length, "Content-Encoding: \(coding)"], body: Array(body), hangsUp: hangsUp,
            fault: fault,
            expected: expected)
    }

    private static func changed(_ bytes: [UInt8], fromEnd place: Int) -> [UInt8] {
        var bytes = bytes
        bytes[bytes.count - place] ^= 0xFF
        return bytes
    }

    /// Encodings that lose no byte, and are wrong in their trailer or their length.
    private static let faults: [Oddity] =
        [
            faulty("gzip with a wrong checksum", "gzip", changed(gzip, fromEnd: 8), .unsupportedMedia),
            faulty("gzip with a wrong length", "gzip", changed(gzip, fromEnd: 1), .unsupportedMedia),
            faulty("zlib with a wrong checksum", "deflate", changed(zlib, fromEnd: 1), .unsupportedMedia),
            faulty("zlib without its checksum", "deflate", zlib.dropLast(4), .truncated),
            faulty("two members, the last one without a trailer", "gzip", members.dropLast(8), .truncated),
        ] + (1...8).map { faulty("gzip without its last \($0) bytes", "gzip", gzip.dropLast($0), .truncated) }
        + [true, false].map { hangsUp in
            // Only bytes that an encoding makes fewer can all arrive.
            let (zeros, body) = (20_000, gzip + Bomb.gzipMember(inflatingTo: 20_000))
            return faulty(
                "gzip with the length of the decoded bytes, hangs up: \(hangsUp)", "gzip", body, .truncated,
                length: "Content-Length: \(count + zeros)", hangsUp: hangsUp,
                expected: Oddity.image + [UInt8](repeating: 0, count: zeros))
        }

    private static let count = Oddity.image.count
    private static let parts: [Oddity] = [
        Oddity(
            name: "206 with all bytes", status: "206 Partial Content",
            fields: [Oddity.length, "Content-Range: bytes 0-\(count - 1)/\(count)"]),
        Oddity(
            name: "206 with all bytes until the end of the connection", status: "206 Partial Content",
            fields: ["Content-Range: bytes 0-\(count - 1)/\(count)"]),
        Oddity(
            name: "206 without a range", status: "206 Partial Content", fields: [Oddity.length], reason: .httpStatus),
        Oddity(
            name: "206 of an unknown whole", status: "206 Partial Content",
            fields: [Oddity.length, "Content-Range: bytes 0-\(count - 1)/*"], reason: .httpStatus),
        Oddity(
            name: "206 with the beginning", status: "206 Partial Content",
            fields: [Oddity.length, "Content-Range: bytes 0-\(count - 1)/\(count + 1)"], reason: .httpStatus),
        Oddity(
            name: "206 with the rest", status: "206 Partial Content",
            fields: [Oddity.length, "Content-Range: bytes 1-\(count)/\(count + 1)"], reason: .httpStatus),
        Oddity(
            name: "206 of another unit", status: "206 Partial Content",
            fields: [Oddity.length, "Content-Range: pages 0-\(count - 1)/\(count)"], reason: .httpStatus),
        Oddity(
            name: "200 with a range that means nothing",
            fields: [Oddity.length, "Content-Range: bytes 5-9/10"]),
    ]

    private static let framings: [Oddity] = [
        Oddity(
            name: "Transfer-Encoding: identity after a length",
            fields: [Oddity.length, "Transfer-Encoding: identity"], hangsUp: false),
        Oddity(
            name: "Transfer-Encoding: identity before a length",
            fields: ["Transfer-Encoding: identity", Oddity.length], hangsUp: false),
        Oddity(
            name: "Transfer-Encoding: Identity", fields: ["Transfer-Encoding: Identity", Oddity.length],
            hangsUp: false),
        Oddity(name: "Transfer-Encoding: identity without a length", fields: ["Transfer-Encoding: identity"]),
        Oddity(
            name: "Transfer-Encoding: identity, and bytes after the body",
            fields: ["Content-Length: \(count)", "Transfer-Encoding: identity"],
            body: Oddity.image + Array("more".utf8), hangsUp: false),
        Oddity(
            name: "Transfer-Encoding: identity, gzip in the body",
            fields: [Oddity.length, "Transfer-Encoding: identity", "Content-Encoding: gzip"], body: gzip, hangsUp: false
        ),
        Oddity(name: "no length", fields: []),
        Oddity(name: "no reason phrase", status: "200", fields: [Oddity.length]),
        Oddity(name: "203", status: "203 Non-Authoritative Information", fields: [Oddity.length]),
        Oddity(name: "226", status: "226 IM Used", fields: [Oddity.length]),
        Oddity(name: "names in small letters", fields: ["content-length: LENGTH", "content-type: image/jpeg"]),
        Oddity(name: "no space after the colon", fields: ["Content-Length:LENGTH", "Content-Type:image/jpeg"]),
        Oddity(name: "tabs after the colon", fields: ["Content-Length:\t\tLENGTH"]),
        Oddity(name: "a line that goes on", fields: [Oddity.length, "X-Long: one", " two", "\tthree"]),
        Oddity(name: "an empty field", fields: [Oddity.length, "X-Empty:"]),
        Oddity(name: "the same length twice", fields: [Oddity.length, Oddity.length]),
        Oddity(name: "bytes beyond ASCII in a field", fields: [Oddity.length, "X-Name: caf\u{E9} \u{1F600}"]),
        Oddity(name: "a length with a plus", fields: ["Content-Length: +LENGTH"]),
        Oddity(
            name: "a body that is longer than announced", fields: ["Content-Length: \(count)"],
            body: Oddity.image + [1, 2, 3]),
        Oddity(
            name: "a body that is shorter than announced", fields: ["Content-Length: \(count + 1)"],
            reason: .truncated),
        Oddity(name: "no content type", fields: [Oddity.length]),
        Oddity(name: "a wrong content type", fields: [Oddity.length, "Content-Type: text/html; charset=utf-8"]),
        Oddity(name: "a content type without a slash", fields: [Oddity.length, "Content-Type: jpeg"]),
        Oddity(
            name: "an invalid validator",
            fields: [Oddity.length, "ETag: abc", "Last-Modified: yesterday", "Date: now"]),
        Oddity(name: "an Upgrade that is offered", fields: [Oddity.length, "Upgrade: h2,h2c"]),
    ]

    private static let pages: [Oddity] = [
        .text("an HTML page without an end", "<!DOCTYPE html><html><body>Please sign in", "an HTML page"),
        .text("an XML document without an end", "<?xml version=\"1.0\"?><Error>", "an XML document"),
        .text("JSON without an end", "{\"error\": \"", "JSON"),
        .text("a camera's parts", "--frame\r\nContent-Type: image/jpeg\r\n\r\n", "no known media type"),
        .text("text without an end", "Not found. ", "no known media type"),
        .text("a PDF without an end", "%PDF-1.7 ", "a PDF document"),
        .text("a playlist without an end", "#EXTM3U\n", "a playlist"),
        Oddity(
            name: "Base64 of an image", fields: [],
            body: Array(String(repeating: "/9j/4AAQSkZJRgABAQ", count: 1_000).utf8), hangsUp: false,
            reason: .unsupportedMedia, detail: "text in Base64"),
        Oddity(
            name: "an image after a line end", fields: [], body: [0x0D, 0x0A] + Oddity.image, hangsUp: false,
            reason: .unsupportedMedia, detail: "JPEG after 2 other bytes"),
    ]

    private static func chunked(_ parts: [[UInt8]], end: String = "0\r\n\r\n") -> [UInt8] {
        parts.flatMap { Array("\(String($0.count, radix: 16));part\r\n".utf8) + $0 + Array("\r\n".utf8) }
            + Array(end.utf8)
    }
    private static let halves = [Array(Oddity.image[..<half]), Array(Oddity.image[half...])]
    private static let camera = "moved to position 4"

    /// The responses whose headers libcurl does not accept.
    private static let heads: [Oddity] = [
        Oddity(
            name: "a line without a colon", fields: ["Content-Type: image/jpeg", camera, Oddity.length], hangsUp: false),
        Oddity(name: "a first line without a colon", fields: [camera, Oddity.length], hangsUp: false),
        Oddity(name: "many lines without a colon", fields: [Oddity.length] + Array(repeating: camera, count: 50)),
        Oddity(name: "a line without a colon, and no length", fields: [camera]),
        Oddity(
            name: "a line without a colon, and a shorter body", fields: ["Content-Length: \(count + 1)", camera],
            reason: .truncated),
        Oddity(
            name: "a line without a colon, and a longer body", fields: ["Content-Length: \(count)", camera],
            body: Oddity.image + [1, 2, 3], hangsUp: false),
        Oddity(
            name: "a line without a colon, and chunks", fields: ["Transfer-Encoding: chunked", camera],
            body: chunked(halves), hangsUp: false),
        Oddity(
            name: "a line without a colon, and a trailer", fields: ["Transfer-Encoding: chunked", camera],
            body: chunked(halves, end: "0\r\nX-Sum: 1\r\n\r\n"), hangsUp: false),
        Oddity(
            name: "a line without a colon, and no last chunk", fields: ["Transfer-Encoding: chunked", camera],
            body: chunked(halves, end: ""), reason: .truncated),
        Oddity(
            name: "a line without a colon, and chunks that are none", fields: ["Transfer-Encoding: chunked", camera],
            reason: .connectionLost, detail: "not HTTP"),
        Oddity(
            name: "a line without a colon, and gzip", fields: [Oddity.length, camera, "Content-Encoding: gzip"],
            body: gzip, hangsUp: false),
        Oddity(
            name: "a line without a colon in a 404", status: "404 Not Found", fields: [Oddity.length, camera],
            reason: .httpStatus),
        Oddity(name: "a NUL in a field", fields: [Oddity.length, "X-Name: a\0b"], hangsUp: false),
        Oddity(name: "a NUL in a line without a colon", fields: [Oddity.length, "\0\0"], hangsUp: false),
        Oddity(name: "a length below zero", fields: ["Content-Length: -5"]),
        Oddity(name: "a length in quotes", fields: ["Content-Length: \"LENGTH\""]),
        Oddity(name: "a length that is a word", fields: ["Content-Length: unknown"]),
        Oddity(
            name: "a status that is a word", status: "OK fine", fields: [Oddity.length], reason: .connectionLost,
            detail: "not HTTP"),
    ]

    private static let all = encodings + faults + parts + framings + pages + heads

    @Test func `the table of odd origins has more than sixty entries`() {
        #expect(Self.all.count >= 60)
        #expect(Oddity.image.count > 1_000)
    }

    @Test(arguments: all)
    func `the fetcher accepts an odd response that browsers accept, or fails with the expected reason`(_ oddity: Oddity)
        async throws
    {
        try await OriginFixture.with { fixture in
            let fields = oddity.fields.map { $0.replacing("LENGTH", with: "\(oddity.body.count)") }
            let origin = try ScriptedOrigin(
                [ScriptedOrigin.answer(oddity.status, fields, oddity.body)], hangsUp: oddity.hangsUp)
            defer { origin.stop() }
            let begin = MonotonicInstant.now
            let result = try await fixture.fetch(url: origin.url)
            #expect(result.reason == oddity.reason, "\(result)")
            if oddity.reason == nil { #expect(try result.get().bytes == oddity.expected) }
            #expect((try? result.get())?.codingFault?.reason == oddity.fault)
            if let detail = oddity.detail { #expect(result.detail?.contains(detail) == true, "\(result)") }
            #expect(begin.duration(to: .now) < .seconds(5), "the fetch waited too long")
        }
    }

    @Test func `a request is repeated with the same header fields`() async throws {
        try await OriginFixture.with { fixture in
            let odd = ScriptedOrigin.answer("200 OK", [Self.camera], Oddity.image)
            let origin = try ScriptedOrigin([odd])
            defer { origin.stop() }
            try await fixture.expect(nil, url: origin.url)
            let heads = origin.requests.map { head in
                Set(head.split(separator: "\r\n").filter { $0 != "Connection: close" })
            }
            #expect(heads.count == 2)
            #expect(heads.first == heads.last, "\(origin.requests)")
        }
    }

    @Test func `the fetcher follows a redirect to the same URL that sets a cookie`() async throws {
        try await OriginFixture.with { fixture in
            let bounce = ScriptedOrigin.answer("302 Found", ["Location: /file.jpg", "Set-Cookie: seen=1; Path=/"])
            let image = ScriptedOrigin.answer("200 OK", [], Oddity.image)
            let origin = try ScriptedOrigin([bounce, image])
            defer { origin.stop() }
            try await fixture.expect(nil, url: origin.url)
            let requests = origin.requests
            #expect(requests.count == 2)
            #expect(requests.first?.contains("Cookie:") == false)
            #expect(requests.last?.contains("\r\nCookie: seen=1\r\n") == true)
        }
    }

    @Test(arguments: [
        ("/a b.jpg", "GET /a%20b.jpg HTTP"), ("  /a.jpg ", "GET /a.jpg HTTP"),
        ("/a.jpg?t=low tide", "GET /a.jpg?t=low%20tide HTTP"),
        ("b c", "GET /b%20c HTTP"), ("/a.jpg#part two", "GET /a.jpg HTTP"),
    ])
    func `spaces in redirects and URLs are encoded as %20`(_ location: String, _ line: String) async throws {
        try await OriginFixture.with { fixture in
            let bounce = ScriptedOrigin.answer("302 Found", ["Location: \(location)"])
            let origin = try ScriptedOrigin([bounce, ScriptedOrigin.answer("200 OK", [], Oddity.image)])
            defer { origin.stop() }
            try await fixture.expect(nil, url: origin.url)
            #expect(origin.requests.last?.hasPrefix(line) == true, "\(origin.requests)")
            guard location.contains("/") else { return }
            let trimmed = location.drop { $0 == " " }
            let direct = try ScriptedOrigin([ScriptedOrigin.answer("200 OK", [], Oddity.image)])
            defer { direct.stop() }
            try await fixture.expect(nil, url: "  http://127.0.0.1:\(direct.port)\(trimmed)")
            #expect(direct.requests.last?.hasPrefix(line) == true, "\(direct.requests)")
        }
    }
}
