import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of further attempts within the budget, and of the reuse of the bytes that have arrived.
@Suite(.timeLimit(.minutes(1))) struct RetryTests {
    private let files = CountedFiles()
    /// The body begins like a JPEG, because a body with an unknown beginning is refused after 512 bytes.
    private static let whole = [0xFF, 0xD8, 0xFF] + (3..<2_000).map { UInt8($0 % 251) }

    @Test func `an origin that fails twice gets a third request`() async throws {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            let media = try await fixture.fetch("/flaky/2/photo-small.jpg", into: files, trace: trace).get()
            #expect(try media.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(trace.transfers.map(\.status) == [503, 503, 200])
            #expect(fixture.origin.counts.hits("/flaky/2/photo-small.jpg") == 3)
        }
    }

    @Test(arguments: [
        (404, 1), (403, 1), (410, 1), (501, 1), (408, 3), (429, 3), (500, 3), (502, 3), (503, 3), (504, 3),
    ])
    func `a URL with a temporary error status is requested up to three times`(_ status: Int, _ hits: Int) async throws {
        try await OriginFixture.with { fixture in
            let path = "/status/\(status)/photo-small.jpg"
            try await fixture.expect(.httpStatus, path)
            #expect(fixture.origin.counts.hits(path) == hits)
        }
    }

    @Test func `a further attempt waits for the Retry-After of the origin`() async throws {
        try await OriginFixture.with { fixture in
            let start = MonotonicInstant.now
            try await fixture.expect(nil, "/flaky/1/retry-after/1/503/photo-small.jpg")
            #expect(start.duration(to: .now) >= .seconds(1))
            #expect(fixture.origin.counts.requests == 2)
        }
    }

    @Test func `a fetch does not wait for a Retry-After beyond its budget`() async throws {
        try await OriginFixture.with { fixture in
            let start = MonotonicInstant.now
            try await fixture.expect(.httpStatus, "/retry-after/10/503/photo-small.jpg", within: .seconds(9))
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    @Test func `an attempt that cannot end within the budget is not started`() async throws {
        var limits = FetchLimits()
        (limits.stallThreshold, limits.hedgeAfter) = (.seconds(10), .seconds(10))
        try await OriginFixture.with(limits: limits) { fixture in
            let start = MonotonicInstant.now
            try await fixture.expect(.httpStatus, "/delay/1s/status/503/photo-small.jpg", within: .milliseconds(1_900))
            #expect(start.duration(to: .now) < .milliseconds(1_900))
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    struct Break: Sendable, CustomTestStringConvertible {
        let path: String
        let ranges: [String]
        var requests = 2
        /// The name of the file that arrives.
        var file = "photo-small.jpg"
        var testDescription: String { path }
    }

    @Test(arguments: [
        Break(path: "/flaky/1/truncate/after/1000/photo-small.jpg", ranges: ["bytes=1000-"]),
        Break(path: "/flaky/1/reset/after/1000/photo-small.jpg", ranges: ["bytes=1000-"]),
        Break(
            path: "/flaky/2/truncate/after/30000/photo-small.jpg", ranges: ["bytes=30000-", "bytes=60000-"],
            requests: 3),
        // No byte has arrived that could be kept.
        Break(path: "/flaky/1/truncate/after/0/photo-small.jpg", ranges: []),
        // Without a strong validator, the rest may belong to another version.
        Break(path: "/header/-ETag/flaky/1/truncate/after/1000/photo-small.jpg", ranges: []),
        Break(path: "/header/ETag:W%2F%22x%22/flaky/1/truncate/after/1000/photo-small.jpg", ranges: []),
        // The file has decoded bytes, which do not match the positions of a range.
        Break(path: "/encoding/gzip/flaky/1/truncate/after/1000/photo-small.jpg", ranges: []),
        // The origin ignores the range, and sends the whole body again.
        Break(path: "/range/ignored/flaky/1/truncate/after/1000/photo-small.jpg", ranges: ["bytes=1000-"]),
        // Another file has replaced the first file. The new file is longer, or is shorter than the received part.
        Break(
            path: "/changed/1/to/progressive.jpg/flaky/1/truncate/after/1000/photo-small.jpg",
            ranges: ["bytes=1000-"], file: "progressive.jpg"),
        Break(
            path: "/changed/1/to/still.gif/flaky/1/truncate/after/30000/photo-small.jpg", ranges: ["bytes=30000-"],
            file: "still.gif"),
    ])
    func `a body that broke off arrives complete and unchanged`(_ broken: Break) async throws {
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(broken.path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/\(broken.file)"))
            #expect(fixture.origin.counts.ranges(broken.path) == broken.ranges)
            // Each range request has an If-Range.
            #expect(fixture.origin.counts.requestsConditional == broken.ranges.count)
            #expect(fixture.origin.counts.requests == broken.requests)
        }
    }

    @Test func `a file that is overwritten during its download is not mixed with its earlier version`() async throws {
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(
                "/changed/1/flaky/1/truncate/after/1000/photo-small.jpg", into: files
            ).get()
            let before = try Fixtures.bytes("media/photo-small.jpg")
            let bytes = try media.bytes
            #expect(bytes.count == before.count)
            #expect(zip(bytes, before).dropFirst(32).allSatisfy { $0 == ~$1 })
        }
    }

    @Test(arguments: [
        // These responses have a part that was not requested.
        ("206 Partial Content", ["Content-Range: bytes 1001-1999/2000", "ETag: \"a\"", "Content-Length: 999"]),
        ("206 Partial Content", ["Content-Range: bytes 0-1999/2000", "ETag: \"a\"", "Content-Length: 2000"]),
        ("206 Partial Content", ["ETag: \"a\"", "Content-Length: 1000"]),
        // This response has the requested part of another version.
        ("206 Partial Content", ["Content-Range: bytes 1000-1999/2000", "ETag: \"b\"", "Content-Length: 1000"]),
        // This response has the part of a longer file, without an entity tag.
        ("206 Partial Content", ["Content-Range: bytes 1000-2999/3000", "Content-Length: 2000"]),
        ("416 Range Not Satisfiable", ["Content-Range: bytes */1000", "Content-Length: 0"]),
    ])
    func `a part that is not the requested rest is discarded, and the whole body is requested`(
        _ status: String, _ fields: [String]
    ) async throws {
        let whole = Self.whole
        let head = ["ETag: \"a\"", "Content-Length: 2000", "Content-Type: image/jpeg"]
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", head, whole.prefix(1_000)),
            ScriptedOrigin.answer(status, fields, [UInt8](repeating: 0xFF, count: 2_000)),
            ScriptedOrigin.answer("200 OK", head, whole),
        ])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(url: origin.url, into: files).get()
            #expect(try media.bytes == whole)
            let requests = origin.requests
            #expect(requests.map { $0.contains("Range: bytes=1000-\r\n") } == [false, true, false])
            #expect(requests.map { $0.contains("If-Range: \"a\"\r\n") } == [false, true, false])
        }
    }

    @Test func `a part of the same file without an entity tag is accepted as its rest`() async throws {
        let whole = Self.whole
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], whole.prefix(1_000)),
            ScriptedOrigin.answer(
                "206 Partial Content", ["Content-Range: bytes 1000-1999/2000", "Content-Length: 1000"],
                whole.suffix(1_000)),
        ])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(url: origin.url, into: files).get()
            #expect(try media.bytes == whole)
        }
    }

    @Test func `a part of the rest is kept as incomplete, in the same fetch and in the next fetch`() async throws {
        let whole = Self.whole
        func part(_ range: Range<Int>) -> [UInt8] {
            ScriptedOrigin.answer(
                "206 Partial Content",
                [
                    "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/2000", "ETag: \"a\"",
                    "Content-Length: \(range.count)",
                ], whole[range])
        }
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], whole.prefix(1_000)),
            part(1_000..<1_500), part(1_500..<1_600), part(1_600..<1_700), part(1_700..<2_000),
        ])
        defer { origin.stop() }
        try await OriginFixture.with(store: MemoryResponseStore()) { fixture in
            // The first fetch resumes its own bytes, and the second one resumes the stored bytes.
            for _ in 0..<2 {
                let result = await fixture.fetch(url: origin.url, into: files)
                #expect(result.reason == .truncated, "\(result)")
            }
            let media = try await fixture.fetch(url: origin.url, into: files).get()
            #expect(try media.bytes == whole)
            #expect(origin.requests.last?.contains("Range: bytes=1700-\r\n") ?? false)
        }
    }

    @Test(arguments: [
        "bytes 0-3/-9223372036854775808", "bytes 0-3/9223372036854775807", "bytes 0-9223372036854775807/*",
        "bytes -9223372036854775808-3/4",
    ])
    func `a range with impossible positions is ignored`(_ range: String) async throws {
        let whole = Self.whole
        let head = ["ETag: \"a\"", "Content-Length: 2000", "Content-Range: \(range)"]
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", head, whole.prefix(1_000)), ScriptedOrigin.answer("200 OK", head, whole),
        ])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(url: origin.url, into: files).get()
            #expect(try media.bytes == whole)
        }
    }

    @Test(arguments: [ScriptedOrigin.answer("503 Busy", ["Content-Length: 0"]), []])
    func `an attempt without new bytes does not discard the earlier bytes`(_ nothing: [UInt8]) async throws {
        let image = try Fixtures.bytes("media/photo-small.jpg")
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer(
                "200 OK", ["ETag: \"a\"", "Content-Length: \(image.count)"], image.prefix(1_000)),
            nothing,
            ScriptedOrigin.answer(
                "206 Partial Content",
                [
                    "ETag: \"a\"", "Content-Length: \(image.count - 1_000)",
                    "Content-Range: bytes 1000-\(image.count - 1)/\(image.count)",
                ], image.dropFirst(1_000)),
        ])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(url: origin.url, into: files).get()
            #expect(try media.bytes == image)
            #expect(origin.requests.map { $0.contains("Range: bytes=1000-") } == [false, true, true])
        }
    }

    @Test func `a fetch that receives only wrong parts fails after three attempts`() async throws {
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], [UInt8](repeating: 1, count: 9)),
            ScriptedOrigin.answer("206 Partial Content", ["Content-Range: bytes 1-99/2000", "Content-Length: 99"]),
        ])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let result = await fixture.fetch(url: origin.url, into: files)
            #expect([.httpStatus, .truncated].contains(result.reason), "\(result)")
            #expect(origin.requests.count == 3)
            await files.waitUntilClosed()
        }
    }

    @Test func `all attempts share one budget`() async throws {
        try await OriginFixture.with { fixture in
            let start = MonotonicInstant.now
            try await fixture.expect(
                .budgetExceeded, "/flaky/2/stall/after/1000/photo-small.jpg", within: .milliseconds(400))
            #expect(start.duration(to: .now) < .seconds(2))
            await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
        }
    }
}
