import Base
import HTTPCaching
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of fetches with the cache. They check the cache status and the requests to the origin.
@Suite(.timeLimit(.minutes(1))) struct CachedFetchTests {
    private static let image = "photo-small.jpg"
    private let files = CountedFiles()
    private let store = MemoryResponseStore()

    /// Fetches a path once for each of the statuses, and expects a total number of requests.
    private func expect(
        _ statuses: [CacheStatus], of path: String, requests: Int, freshness: Double = 60,
        between: @Sendable (OriginFixture) async throws -> Void = { _ in },
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        var policy = FetchPolicy()
        policy.caching.defaultFreshness = freshness
        try await OriginFixture.with(policy: policy, store: store) { fixture in
            let expected = try Fixtures.bytes("media/\(Self.image)")
            for (number, status) in statuses.enumerated() {
                if number > 0 { try await between(fixture) }
                let media = try await fixture.fetch(path, into: files).get()
                #expect(media.cache == status, sourceLocation: location)
                #expect(try media.bytes == expected, sourceLocation: location)
            }
            await fixture.origin.waitUntil { $0.requests >= requests }
            #expect(fixture.origin.counts.requests == requests, sourceLocation: location)
        }
    }

    @Test(arguments: [
        "/header/Cache-Control:max-age=60/\(image)", "/\(image)", "/encoding/gzip/\(image)",
        "/header/Vary:Accept-Encoding/\(image)", "/header/Cache-Control:private%2C%20max-age=9/\(image)",
    ])
    func `a fresh response is used without a request`(_ path: String) async throws {
        try await expect([.miss, .hit, .hit], of: path, requests: 1)
        #expect(files.made == 1)
    }

    @Test(arguments: [401, 403, 404, 410])
    func `a stored redirect is asked again once when its target is refused`(_ status: Int) async throws {
        try await OriginFixture.with(store: store) { fixture in
            let image = try Fixtures.bytes("media/\(Self.image)")
            func redirect(_ target: String) -> [UInt8] {
                ScriptedOrigin.answer(
                    "301 Moved", ["Location: \(target)", "Cache-Control: max-age=60", "Content-Length: 0"])
            }
            let shown = ScriptedOrigin.answer(
                "200 OK", ["Content-Length: \(image.count)", "Cache-Control: no-store"], image)
            let refused = ScriptedOrigin.answer("\(status) No", ["Content-Length: 0", "Cache-Control: no-store"])
            let origin = try ScriptedOrigin([
                redirect("/signed-1"), shown, refused, redirect("/signed-2"), shown, refused, redirect("/signed-3"),
                refused,
            ])
            defer { origin.stop() }
            for _ in 0..<2 { #expect(try await fixture.fetch(url: origin.url).get().bytes == image) }
            #expect(try await fixture.fetch(url: origin.url).reason == .httpStatus)
            let paths = origin.requests.map { $0.split(separator: " ")[1] }
            #expect(
                paths == [
                    "/file.jpg", "/signed-1", "/signed-1", "/file.jpg", "/signed-2", "/signed-2", "/file.jpg",
                    "/signed-3",
                ])
        }
    }

    @Test func `a stored redirect is not asked again when the refusal is stored too`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let fields = ["Cache-Control: max-age=60", "Content-Length: 0"]
            let origin = try ScriptedOrigin([
                ScriptedOrigin.answer("301 Moved", ["Location: /gone"] + fields),
                ScriptedOrigin.answer("404 No", fields),
            ])
            defer { origin.stop() }
            for _ in 0..<3 { #expect(try await fixture.fetch(url: origin.url).reason == .httpStatus) }
            #expect(origin.requests.count == 2)
        }
    }

    @Test func `a response whose content encoding has a fault is not stored`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let image = try Fixtures.bytes("media/\(Self.image)")
            let body = ContentCoding.gzip.encode(image).dropLast(8)
            let origin = try ScriptedOrigin([
                ScriptedOrigin.answer(
                    "200 OK", ["Content-Encoding: gzip", "Cache-Control: max-age=60", "Content-Length: \(body.count)"],
                    body)
            ])
            defer { origin.stop() }
            for _ in 0..<2 { #expect(try await fixture.fetch(url: origin.url).get().cache == .miss) }
            #expect(origin.requests.count == 2)
        }
    }

    @Test func `a URL with a stored response needs no download`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let url = fixture.origin.baseURL + "/\(Self.image)"
            #expect(await fixture.fetcher.wouldDownload(url, for: nil))
            _ = try await fixture.fetch("/\(Self.image)", into: files).get()
            #expect(await !fixture.fetcher.wouldDownload(url, for: nil))
        }
    }

    /// No file can be created when the process has reached its limit of descriptors.
    @Test(arguments: ["/", "/encoding/gzip/", "/header/Cache-Control:no-cache/"])
    func `a response whose file could not be created is not stored`(_ path: String) async throws {
        let failure = MediaFailure(.overloaded, "no file can be made: Too many open files")
        try await OriginFixture.with(store: store) { fixture in
            let request = FetchRequest(
                url: fixture.origin.baseURL + path + Self.image, deadline: .now + .seconds(20), trace: StageTrace()
            ) { () throws(MediaFailure) in throw failure }
            let lost = await fixture.fetcher.fetch(request)
            #expect(lost.reason == .overloaded)
            let media = try await fixture.fetch(path + Self.image, into: files).get()
            #expect(media.cache == .miss)
            #expect(try media.bytes == Fixtures.bytes("media/\(Self.image)"))
        }
    }

    @Test(arguments: ["/reset/after/0/", "/truncate/after/0/", "/stall/after/0/"])
    func `a response that breaks off before its first byte is not stored`(_ fault: String) async throws {
        try await OriginFixture.with(store: store) { fixture in
            let path = "/header/Cache-Control:max-age=60" + fault + Self.image
            for requests in 1...2 {
                let lost = try await fixture.fetch(path, within: .milliseconds(300))
                #expect([.connectionLost, .truncated, .budgetExceeded].contains(lost.reason), "\(lost)")
                #expect(fixture.origin.counts.requests >= requests)
            }
        }
    }

    @Test func `a stored response has the same identity at each fetch`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let first = try await fixture.fetch("/\(Self.image)", into: files).get()
            let second = try await fixture.fetch("/\(Self.image)", into: files).get()
            #expect(second.cache == .hit)
            #expect(first.identity == second.identity)
        }
    }

    @Test(arguments: [
        "/header/Cache-Control:no-cache/\(image)", "/header/Cache-Control:max-age=0/\(image)",
        "/header/Expires:0/\(image)", "/header/Cache-Control:no-cache/header/-ETag/\(image)",
    ])
    func `a stale response is validated`(_ path: String) async throws {
        try await expect([.miss, .revalidated, .revalidated], of: path, requests: 3) { fixture in
            #expect(fixture.origin.counts.replies(200) == 1)
        }
    }

    @Test(arguments: [
        "/header/Cache-Control:no-store/\(image)", "/header/Vary:*/\(image)",
        "/header/Cache-Control:no-cache/header/-ETag/header/-Last-Modified/\(image)",
    ])
    func `a response that may not be stored or cannot be validated is fetched again`(_ path: String) async throws {
        try await expect([.miss, .miss], of: path, requests: 2)
    }

    @Test func `the default freshness applies to a response without a lifetime, and 0 disables it`() async throws {
        let path = "/header/-Last-Modified/\(Self.image)"
        try await expect([.miss, .hit], of: path, requests: 1, freshness: 60)
        await store.remove(store.all.map(\.id))
        try await expect([.miss, .revalidated], of: path, requests: 2, freshness: 0)
    }

    @Test func `a stale response with stale-while-revalidate is validated in the background`() async throws {
        let path = "/header/Cache-Control:max-age=0%2C%20stale-while-revalidate=60/\(Self.image)"
        try await expect([.miss, .stale], of: path, requests: 2)
    }

    @Test func `each stale hop of a redirect is validated`() async throws {
        let field = "/header/Cache-Control:max-age=0%2C%20stale-while-revalidate=60"
        // The redirect is stale, and its target is fresh.
        try await expect([.miss, .hit], of: "\(field)/redirect/1/\(Self.image)", requests: 3)
    }

    @Test(arguments: ["", "%2C%20stale-if-error=60"])
    func `a stale response replaces the failure of an unreachable origin`(_ directive: String) async throws {
        let path = "/header/Cache-Control:max-age=0\(directive)/\(Self.image)"
        try await expect([.miss, .stale], of: path, requests: 1) { await $0.origin.stop() }
    }

    @Test func `a stale response is used before the deadline if the origin does not answer`() async throws {
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Cache-Control: max-age=0", "Content-Length: 9"], 1...9)
        ])
        defer { origin.stop() }
        let port = try #require(
            origin.url.split(separator: ":").last?.split(separator: "/").first.flatMap { UInt16($0) })
        // After the first fetch, the name has the address of a listener that accepts no connections.
        let silent = try LoopbackListener(at: LoopbackAddress(0, 0, 2), port: port, waits: true)
        let names = LoopbackNames(["cdn.test": [[LoopbackAddress(0, 0, 1)], [LoopbackAddress(0, 0, 2)]]])
        try await OriginFixture.with(resolver: names, store: store) { fixture in
            let url = "http://cdn.test:\(port)/file.jpg"
            let first = try await fixture.fetch(url: url).get()
            #expect(first.cache == .miss)
            let start = MonotonicInstant.now
            let second = try await fixture.fetch(url: url, within: .seconds(2)).get()
            #expect(second.cache == .stale)
            #expect(start.duration(to: .now) < .seconds(2))
            #expect(try second.bytes == Array(1...9))
        }
        withExtendedLifetime(silent) {}
    }

    @Test func `a response with must-revalidate is not used when the origin is unreachable`() async throws {
        let path = "/header/Cache-Control:max-age=0%2C%20must-revalidate/\(Self.image)"
        try await OriginFixture.with(store: store) { fixture in
            _ = try await fixture.fetch(path, into: files).get()
            await fixture.origin.stop()
            try await fixture.expect(.connectFailed, path)
        }
    }

    @Test(arguments: [
        ("/header/Cache-Control:max-age=60/status/404/x.jpg", 1), ("/status/404/x.jpg", 1), ("/no/such.jpg", 1),
        ("/status/410/x.jpg", 1), ("/status/403/x.jpg", 2), ("/header/Cache-Control:no-store/status/404/x.jpg", 2),
    ])
    func `an error response is stored like any other response`(_ path: String, _ requests: Int) async throws {
        try await OriginFixture.with(store: store) { fixture in
            try await fixture.expect(.httpStatus, path)
            try await fixture.expect(.httpStatus, path)
            #expect(fixture.origin.counts.requests == requests)
        }
    }

    @Test func `an incomplete body is completed by the next fetch`() async throws {
        let path = "/flaky/3/truncate/after/1000/\(Self.image)"
        try await OriginFixture.with(store: store) { fixture in
            try await fixture.expect(.truncated, path)
            #expect(await store.all.map(\.storedBytes) == [0..<3_000])
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/\(Self.image)"))
            #expect(media.cache == .miss)
            #expect(fixture.origin.counts.ranges(path) == ["bytes=1000-", "bytes=2000-", "bytes=3000-"])
            let again = try await fixture.fetch(path, into: files).get()
            #expect(again.cache == .hit)
            #expect(await store.all.map(\.isWhole) == [true])
        }
    }

    @Test func `a long body of cancelled requests is completed by the next fetch`() async throws {
        let path = "/flaky/1/stall/after/150000/progressive.jpg"
        try await OriginFixture.with(store: store) { fixture in
            let progress = FetchProgress()
            let left = Task { [files] in await fixture.fetch(path, into: files, progress: progress) }
            for await state in progress where state.receivedBytes == 150_000 { break }
            left.cancel()
            #expect(await left.value.reason == .cancelled)
            // The body is stored after the cancelled request has received its result.
            await store.waitForEntry()
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/progressive.jpg"))
            #expect(fixture.origin.counts.ranges(path) == ["bytes=150000-"])
        }
    }

    @Test func `a short body of cancelled requests is not stored`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let left = Task { [files] in await fixture.fetch("/stall/after/1000/progressive.jpg", into: files) }
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            left.cancel()
            #expect(await left.value.reason == .cancelled)
            await files.waitUntilClosed()
            #expect(await store.all.isEmpty)
        }
    }

    @Test func `the whole file is fetched if the stored beginning belongs to another version`() async throws {
        let path = "/changed/3/to/progressive.jpg/flaky/3/truncate/after/1000/\(Self.image)"
        try await OriginFixture.with(store: store) { fixture in
            try await fixture.expect(.truncated, path)
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/progressive.jpg"))
        }
    }

    @Test func `a response that was fetched with one token is not used for another token`() async throws {
        func policy(_ token: String) -> FetchPolicy {
            var policy = FetchPolicy(
                headers: OriginHeaders(["127.0.0.1": [(name: "Authorization", value: "Bearer \(token)")]]))
            policy.addresses = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap(AddressRange.init))
            return policy
        }
        try await OriginFixture.with(policy: policy("a"), store: store) { fixture in
            var statuses: [CacheStatus] = []
            for token in ["a", "a", "b", "a", "b"] {
                fixture.fetcher.change(policy(token))
                statuses.append(try await fixture.fetch("/\(Self.image)", into: files).get().cache)
            }
            #expect(statuses == [.miss, .hit, .miss, .hit, .hit])
            #expect(fixture.origin.counts.requestsAuthorized == 2)
        }
        for key in await store.all.map(\.key) { #expect(!key.contains("Bearer")) }
    }

    @Test(arguments: [("/redirect/1/\(image)", 3), ("/header/Cache-Control:max-age=60/redirect/1/\(image)", 2)])
    func `each hop of a redirect is stored according to the directives of its own response`(
        _ path: String, _ requests: Int
    ) async throws {
        try await expect([.miss, .hit], of: path, requests: requests)
    }

    @Test func `a response whose stored bytes are lost is fetched again`() async throws {
        let store = store
        try await expect([.miss, .miss], of: "/\(Self.image)", requests: 2) { _ in await store.loseBytes() }
        #expect(await store.all.count == 1)
    }

    @Test func `two hundred simultaneous fetches of a fresh response send no request`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            _ = try await fixture.fetch("/\(Self.image)", into: files).get()
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask { try await fixture.fetch("/\(Self.image)", into: files).get().cache }
                }
                for try await status in group { #expect(status == .hit) }
            }
            #expect(fixture.origin.counts.requests == 1)
            #expect(files.made == 1)
        }
    }
}
