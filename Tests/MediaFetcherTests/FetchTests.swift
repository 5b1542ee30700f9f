import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

@Suite struct FetchTests {
    @Test func `a file arrives unchanged, with the declared type of the origin`() async throws {
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch("/photo-12mp.jpg").get()
            let expected = try Fixtures.bytes("media/photo-12mp.jpg")
            #expect(media.byteCount == expected.count)
            #expect(media.declaredType == "image/jpeg")
            #expect(try FileSystem.bytes(of: media.file, at: 0, count: expected.count + 1) == expected)
        }
    }

    /// All fetches use one handle of libcurl, and set only the values that differ.
    @Test func `each of several sequential fetches requests its URL unchanged`() async throws {
        let origin = try ScriptedOrigin([ScriptedOrigin.answer("200 OK", ["Content-Length: 1"], [0x47])])
        defer { origin.stop() }
        let base = origin.url.replacing("/file.jpg", with: "")
        let targets = [
            "/a.jpg", "/b/c.jpg?x=1&y=2", "/a.jpg", "/A%2fB%2FC?d=%C3%a9", "/?q", "/", "/a//b/?c?d", "/a.jpg",
        ]
        try await OriginFixture.with { fixture in
            for target in targets { _ = try await fixture.fetch(url: base + target).get() }
        }
        #expect(origin.requests.map { $0.split(separator: " ").dropFirst().first.map(String.init) } == targets)
    }

    /// More simultaneous transfers use more threads.
    @Test(arguments: [30, 300]) func `many simultaneous files arrive complete`(count: Int) async throws {
        var limits = FetchLimits()
        limits.connections = 300
        limits.connectionsPerHost = 300
        // A busy machine must not cause second connections here.
        (limits.stallThreshold, limits.hedgeAfter) = (.seconds(60), .seconds(60))
        try await OriginFixture.with(limits: limits) { fixture in
            let expected = try Fixtures.bytes("media/progressive.jpg")
            try await withThrowingTaskGroup { group in
                for number in 0..<count {
                    group.addTask {
                        let media = try await fixture.fetch("/drip/50ms/progressive.jpg?\(number)").get()
                        return try FileSystem.bytes(of: media.file, at: 0, count: expected.count + 1)
                    }
                }
                for try await bytes in group { #expect(bytes == expected) }
            }
            #expect(fixture.origin.counts.hits("/drip/50ms/progressive.jpg") == count)
        }
    }

    @Test func `the trace has the stages in their order`() async throws {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            _ = try await fixture.fetch("/delay/20ms/photo-small.jpg", trace: trace).get()
            #expect(trace.stages().map(\.name) == [.queue, .connect, .wait, .body])
            let wait = try #require(trace.stages().first { $0.name == .wait })
            #expect(wait.duration >= .milliseconds(20))
        }
    }

    @Test(arguments: ["/redirect/1/photo-small.jpg", "/redirect/5/photo-small.jpg"])
    func `redirects are followed`(_ path: String) async throws {
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(path).get()
            #expect(media.byteCount == (try Fixtures.bytes("media/photo-small.jpg").count))
        }
    }

    @Test func `only encodings whose decoders need little memory are requested`() async throws {
        let origin = try ScriptedOrigin([ScriptedOrigin.answer("200 OK", ["Content-Length: 1"], [0x47])])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in _ = try await fixture.fetch(url: origin.url).get() }
        let lines = try #require(origin.requests.first).split(separator: "\r\n")
        #expect(lines.filter { $0.lowercased().hasPrefix("accept-encoding:") } == ["Accept-Encoding: gzip, deflate"])
    }

    @Test func `the size limit applies to the decoded body`() async throws {
        var limits = FetchLimits()
        limits.videoBytes = 1_000_000
        limits.imageBytes = 1_000_000
        limits.soundBytes = 1_000_000
        try await OriginFixture.with(limits: limits) { fixture in
            try await fixture.expect(.tooLarge, "/bomb/gzip")
        }
    }

    @Test func `the size limit depends on the bytes, and not on the declared type`() async throws {
        var limits = FetchLimits()
        limits.imageBytes = 50_000
        try await OriginFixture.with(limits: limits) { fixture in
            try await fixture.expect(.tooLarge, "/lie/type/photo-small.jpg")
            try await fixture.expect(nil, "/coach/week3.mp4")
        }
    }

    @Test func `trailers after the body are not part of the headers`() async throws {
        let chunked = "5\r\nhello\r\n0\r\nContent-Type: image/gif\r\nX-Late: 1\r\n\r\n"
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer(
                "200 OK", ["Content-Type: image/jpeg", "Transfer-Encoding: chunked", "Trailer: X-Late"], chunked.utf8)
        ])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(url: origin.url).get()
            #expect(media.declaredType == "image/jpeg")
            #expect(media.byteCount == 5)
        }
    }

    /// Each layer can expand the body a thousandfold. A few hundred bytes would occupy the thread for minutes.
    @Test(arguments: [
        (["Content-Encoding: gzip, gzip"], "more than once"),
        (["Content-Encoding: gzip", "Content-Encoding: br"], "more"),
        (["Content-Encoding: gzip, gzip", "HTTP/x: y"], "more than once"),
        (["Transfer-Encoding: gzip"], "a transfer encoding"),
        (["Transfer-Encoding: gzip, chunked"], "a transfer encoding"),
        (["Transfer-Encoding: GZIP , gzip", "Content-Encoding: gzip"], "a transfer encoding"),
    ])
    func `nested encodings are refused in any header field`(
        _ fields: [String], _ words: String
    ) async throws {
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["Content-Type: image/jpeg"] + fields, Array("1\r\nx\r\n0\r\n\r\n".utf8))
        ])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let result = try await fixture.fetch(url: origin.url)
            #expect(result.reason == .unsupportedMedia)
            guard case .failure(let failure) = result else { return }
            #expect(failure.detail.contains(words), "\(failure.detail)")
        }
    }

    @Test func `headers that begin with a space are refused`() async throws {
        let origin = try ScriptedOrigin([ScriptedOrigin.answer("200 OK", [" a: b", "Content-Length: 1"], [0])])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let result = try await fixture.fetch(url: origin.url, within: .seconds(5))
            #expect(result.reason == .connectionLost)
        }
    }
}
