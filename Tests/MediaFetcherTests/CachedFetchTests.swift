import HTTPCaching
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// Fetches through the cache, each told by where its bytes came from and by what the origin was asked.
@Suite(.timeLimit(.minutes(1))) struct CachedFetchTests {
    private static let picture = "photo-small.jpg"
    private let files = CountedFiles()
    private let store = MemoryResponseStore()

    /// Fetches a path once for each of the statuses, and expects as many requests in the end.
    private func expect(
        _ statuses: [CacheStatus], of path: String, requests: Int, freshness: Double = 60,
        between: @Sendable (OriginFixture) async throws -> Void = { _ in },
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        var policy = FetchPolicy()
        policy.caching.defaultFreshness = freshness
        try await OriginFixture.with(policy: policy, store: store) { fixture in
            let expected = try Fixtures.bytes("media/\(Self.picture)")
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
        "/header/Cache-Control:max-age=60/\(picture)", "/\(picture)", "/encoding/gzip/\(picture)",
        "/header/Vary:Accept-Encoding/\(picture)", "/header/Cache-Control:private%2C%20max-age=9/\(picture)",
    ])
    func `what is fresh is not asked for`(_ path: String) async throws {
        try await expect([.miss, .hit, .hit], of: path, requests: 1)
        #expect(files.made == 1)
    }

    @Test func `what is stored is not to be downloaded`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let url = fixture.origin.baseURL + "/\(Self.picture)"
            #expect(await fixture.fetcher.wouldDownload(url))
            _ = try await fixture.fetch("/\(Self.picture)", into: files).get()
            #expect(await !fixture.fetcher.wouldDownload(url))
        }
    }

    /// As when the process has as many descriptors as it may have.
    @Test(arguments: ["/", "/encoding/gzip/", "/header/Cache-Control:no-cache/"])
    func `an answer whose file could not be made is not stored`(_ path: String) async throws {
        let failure = MediaFailure(.overloaded, "no file can be made: Too many open files")
        try await OriginFixture.with(store: store) { fixture in
            let request = FetchRequest(
                url: fixture.origin.baseURL + path + Self.picture, deadline: .now + .seconds(20), trace: StageTrace()
            ) { () throws(MediaFailure) in throw failure }
            let lost = await fixture.fetcher.fetch(request)
            #expect(lost.reason == .overloaded)
            let media = try await fixture.fetch(path + Self.picture, into: files).get()
            #expect(media.cache == .miss)
            #expect(try media.bytes == Fixtures.bytes("media/\(Self.picture)"))
        }
    }

    @Test(arguments: ["/reset/after/0/", "/truncate/after/0/", "/stall/after/0/"])
    func `an answer that breaks off before its first byte is not stored`(_ fault: String) async throws {
        try await OriginFixture.with(store: store) { fixture in
            let path = "/header/Cache-Control:max-age=60" + fault + Self.picture
            for requests in 1...2 {
                let lost = try await fixture.fetch(path, within: .milliseconds(300))
                #expect([.connectionLost, .truncated, .budgetExceeded].contains(lost.reason), "\(lost)")
                #expect(fixture.origin.counts.requests >= requests)
            }
        }
    }

    @Test func `the same bytes have the same name`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let first = try await fixture.fetch("/\(Self.picture)", into: files).get()
            let second = try await fixture.fetch("/\(Self.picture)", into: files).get()
            #expect(second.cache == .hit)
            #expect(first.identity == second.identity)
        }
    }

    @Test(arguments: [
        "/header/Cache-Control:no-cache/\(picture)", "/header/Cache-Control:max-age=0/\(picture)",
        "/header/Expires:0/\(picture)", "/header/Cache-Control:no-cache/header/-ETag/\(picture)",
    ])
    func `what is no longer fresh is confirmed by its validator`(_ path: String) async throws {
        try await expect([.miss, .revalidated, .revalidated], of: path, requests: 3) { fixture in
            #expect(fixture.origin.counts.replies(200) == 1)
        }
    }

    @Test(arguments: [
        "/header/Cache-Control:no-store/\(picture)", "/header/Vary:*/\(picture)",
        "/header/Cache-Control:no-cache/header/-ETag/header/-Last-Modified/\(picture)",
    ])
    func `what may not be kept, or not be confirmed, is fetched again`(_ path: String) async throws {
        try await expect([.miss, .miss], of: path, requests: 2)
    }

    @Test func `without any freshness information the operator's counts, and 0 is the plain rules`() async throws {
        let path = "/header/-Last-Modified/\(Self.picture)"
        try await expect([.miss, .hit], of: path, requests: 1, freshness: 60)
        await store.remove(store.all.map(\.id))
        try await expect([.miss, .revalidated], of: path, requests: 2, freshness: 0)
    }

    @Test func `what is stale and may be given so is asked about in the background`() async throws {
        let path = "/header/Cache-Control:max-age=0%2C%20stale-while-revalidate=60/\(Self.picture)"
        try await expect([.miss, .stale], of: path, requests: 2)
    }

    @Test func `each hop that is stale is asked about`() async throws {
        let field = "/header/Cache-Control:max-age=0%2C%20stale-while-revalidate=60"
        // The redirect is stale, what it leads to is fresh.
        try await expect([.miss, .hit], of: "\(field)/redirect/1/\(Self.picture)", requests: 3)
    }

    @Test(arguments: ["", "%2C%20stale-if-error=60"])
    func `what is stale is better than an origin that does not answer`(_ directive: String) async throws {
        let path = "/header/Cache-Control:max-age=0\(directive)/\(Self.picture)"
        try await expect([.miss, .stale], of: path, requests: 1) { await $0.origin.stop() }
    }

    @Test func `what is stale is given while there is time, when the origin hangs`() async throws {
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Cache-Control: max-age=0", "Content-Length: 9"], 1...9)
        ])
        defer { origin.stop() }
        let port = try #require(
            origin.url.split(separator: ":").last?.split(separator: "/").first.flatMap { UInt16($0) })
        // The same host a moment later: a listener that nobody accepts at.
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

    @Test func `what must be confirmed is not given when the origin does not answer`() async throws {
        let path = "/header/Cache-Control:max-age=0%2C%20must-revalidate/\(Self.picture)"
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
    func `an answer that says no is kept like any other`(_ path: String, _ requests: Int) async throws {
        try await OriginFixture.with(store: store) { fixture in
            try await fixture.expect(.httpStatus, path)
            try await fixture.expect(.httpStatus, path)
            #expect(fixture.origin.counts.requests == requests)
        }
    }

    @Test func `a body that keeps breaking off is completed the next time`() async throws {
        let path = "/flaky/3/truncate/after/1000/\(Self.picture)"
        try await OriginFixture.with(store: store) { fixture in
            try await fixture.expect(.truncated, path)
            #expect(await store.all.map(\.storedBytes) == [0..<3_000])
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/\(Self.picture)"))
            #expect(media.cache == .miss)
            #expect(fixture.origin.counts.ranges(path) == ["bytes=1000-", "bytes=2000-", "bytes=3000-"])
            let again = try await fixture.fetch(path, into: files).get()
            #expect(again.cache == .hit)
            #expect(await store.all.map(\.isWhole) == [true])
        }
    }

    @Test func `a long body that everybody has left is completed by who comes next`() async throws {
        let path = "/flaky/1/stall/after/150000/progressive.jpg"
        try await OriginFixture.with(store: store) { fixture in
            let progress = FetchProgress()
            let left = Task { [files] in await fixture.fetch(path, into: files, progress: progress) }
            for await state in progress where state.receivedBytes == 150_000 { break }
            left.cancel()
            #expect(await left.value.reason == .cancelled)
            // It is stored when who left has been told.
            await store.waitForEntry()
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/progressive.jpg"))
            #expect(fixture.origin.counts.ranges(path) == ["bytes=150000-"])
        }
    }

    @Test func `of a short body that everybody has left nothing is kept`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            let left = Task { [files] in await fixture.fetch("/stall/after/1000/progressive.jpg", into: files) }
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            left.cancel()
            #expect(await left.value.reason == .cancelled)
            await files.waitUntilClosed()
            #expect(await store.all.isEmpty)
        }
    }

    @Test func `a beginning whose rest is another file's is fetched whole`() async throws {
        let path = "/changed/3/to/progressive.jpg/flaky/3/truncate/after/1000/\(Self.picture)"
        try await OriginFixture.with(store: store) { fixture in
            try await fixture.expect(.truncated, path)
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/progressive.jpg"))
        }
    }

    @Test func `what one token brought is nobody else's`() async throws {
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
                statuses.append(try await fixture.fetch("/\(Self.picture)", into: files).get().cache)
            }
            #expect(statuses == [.miss, .hit, .miss, .hit, .hit])
            #expect(fixture.origin.counts.requestsAuthorized == 2)
        }
        for key in await store.all.map(\.key) { #expect(!key.contains("Bearer")) }
    }

    @Test(arguments: [("/redirect/1/\(picture)", 3), ("/header/Cache-Control:max-age=60/redirect/1/\(picture)", 2)])
    func `each hop of a redirect is kept by its own rules`(_ path: String, _ requests: Int) async throws {
        try await expect([.miss, .hit], of: path, requests: requests)
    }

    @Test func `what has lost its bytes is fetched again`() async throws {
        let store = store
        try await expect([.miss, .miss], of: "/\(Self.picture)", requests: 2) { _ in await store.loseBytes() }
        #expect(await store.all.count == 1)
    }

    @Test func `a crowd that finds it fresh asks nobody`() async throws {
        try await OriginFixture.with(store: store) { fixture in
            _ = try await fixture.fetch("/\(Self.picture)", into: files).get()
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask { try await fixture.fetch("/\(Self.picture)", into: files).get().cache }
                }
                for try await status in group { #expect(status == .hit) }
            }
            #expect(fixture.origin.counts.requests == 1)
            #expect(files.made == 1)
        }
    }
}
