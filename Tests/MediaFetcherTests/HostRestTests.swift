import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of hosts that keep failing and therefore rest, and of the transfer that tests a host after its rest. The
/// tests use a manual clock.
@Suite(.timeLimit(.minutes(1))) struct HostRestTests {
    private let clock = ManualClock()
    private let files = CountedFiles()

    private func with(
        resolver: (any NameResolving)? = nil, _ body: (OriginFixture) async throws -> Void
    ) async throws {
        let clock = clock
        try await OriginFixture.with(resolver: resolver, now: { clock.now }, body)
    }

    /// Fetches one URL after another until the host rests, and returns the reasons of all fetches.
    private func failUntilRest(
        _ fixture: OriginFixture, _ path: String, at url: String
    ) async throws -> [DegradationReason?] {
        var reasons: [DegradationReason?] = []
        while reasons.count < 10 {
            let result = await fixture.fetch(url: "\(url)\(path)?\(reasons.count)", into: files)
            reasons.append(result.reason)
            if result.reason == .hostResting { break }
        }
        return reasons
    }

    @Test func `a host that refuses connections rests after five media items, and other hosts do not rest`()
        async throws
    {
        try await with { fixture in
            try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { other in
                let url = other.baseURL
                await other.stop()
                let reasons = try await failUntilRest(fixture, "/photo-small.jpg", at: url)
                #expect(reasons == Array(repeating: .connectFailed, count: 5) + [.hostResting])
                let start = MonotonicInstant.now
                let resting = await fixture.fetch(url: url + "/photo-small.jpg", into: files)
                #expect(resting.reason == .hostResting)
                #expect(start.duration(to: .now) < FaultBench.tolerance)
                // The same address with another port is another host.
                try await fixture.expect(nil, "/photo-small.jpg")
            }
        }
    }

    @Test(arguments: [
        ("/reset/after/0/photo-small.jpg", 15), ("/status/503/photo-small.jpg", 15),
        ("/status/429/photo-small.jpg", 15),
    ])
    func `a connection reset, or a status of a failing origin, is counted as a failure of the host`(
        _ path: String, _ requests: Int
    )
        async throws
    {
        try await with { fixture in
            let reasons = try await failUntilRest(fixture, path, at: fixture.origin.baseURL)
            #expect(reasons.last == .hostResting)
            #expect(fixture.origin.counts.requests == requests)
            try await fixture.expect(.hostResting, "/photo-small.jpg")
            #expect(fixture.origin.counts.requests == requests)
        }
    }

    @Test(arguments: [
        "/status/404/photo-small.jpg", "/status/403/photo-small.jpg", "/truncate/after/10/photo-small.jpg",
        "/redirect/loop",
    ])
    func `a failure that is specific to a URL does not make its host rest`(_ path: String) async throws {
        try await with { fixture in
            let reasons = try await failUntilRest(fixture, path, at: fixture.origin.baseURL)
            #expect(!reasons.contains(.hostResting))
            try await fixture.expect(nil, "/photo-small.jpg")
        }
    }

    @Test func `a media item that fails repeatedly does not make its host rest`() async throws {
        try await with { fixture in
            for _ in 0..<8 {
                try await fixture.expect(.httpStatus, "/status/503/photo-small.jpg")
                // The failure of the URL is cached for 2 s.
                clock.advance(by: .seconds(2))
            }
            try await fixture.expect(nil, "/photo-small.jpg")
        }
    }

    @Test func `a 404 does not change the count of failures`() async throws {
        try await with { fixture in
            for number in 0..<5 {
                try await fixture.expect(.httpStatus, "/status/404/photo-small.jpg?\(number)")
                try await fixture.expect(.httpStatus, "/status/503/photo-small.jpg?\(number)")
            }
            try await fixture.expect(.hostResting, "/photo-small.jpg")
        }
    }

    @Test func `a 404 ends a rest, because the host answers`() async throws {
        try await with { fixture in
            _ = try await failUntilRest(fixture, "/status/503/photo-small.jpg", at: fixture.origin.baseURL)
            clock.advance(by: .seconds(3))
            try await fixture.expect(.httpStatus, "/status/404/photo-small.jpg")
            try await fixture.expect(nil, "/photo-small.jpg")
        }
    }

    @Test func `a successful fetch resets the count of failures`() async throws {
        try await with { fixture in
            for number in 0..<6 {
                try await fixture.expect(nil, "/flaky/2/photo-small.jpg?\(number)")
                try await fixture.expect(.httpStatus, "/status/503/photo-small.jpg?\(number)")
                try await fixture.expect(nil, "/photo-small.jpg?\(number)")
            }
        }
    }

    @Test func `a single transfer tests a host after its rest, and ends the rest for all transfers if it succeeds`()
        async throws
    {
        let names = GatedNames()
        try await with(resolver: names) { fixture in
            let url = fixture.namedURL
            _ = try await failUntilRest(fixture, "/status/503/photo-small.jpg", at: url)
            try await fixture.expect(.hostResting, url: url + "/photo-small.jpg")
            clock.advance(by: .seconds(3))
            let gate = Gate()
            names.hold(behind: gate)
            let trace = StageTrace()
            let probe = Task { await fixture.fetch(url: url + "/photo-small.jpg?probe", into: files, trace: trace) }
            try await [trace].waitUntilUnderWay()
            // Only one transfer tests the host at a time.
            try await fixture.expect(.hostResting, url: url + "/photo-small.jpg?other")
            gate.open()
            _ = try await probe.value.get()
            try await fixture.expect(nil, url: url + "/photo-small.jpg?other")
        }
    }

    @Test func `a host that fails its test rests for longer`() async throws {
        try await with { fixture in
            let url = fixture.origin.baseURL
            _ = try await failUntilRest(fixture, "/status/503/photo-small.jpg", at: url)
            clock.advance(by: .seconds(3))
            let requests = fixture.origin.counts.requests
            try await fixture.expect(.httpStatus, "/status/503/photo-small.jpg?probe")
            #expect(fixture.origin.counts.requests == requests + 1)
            // The rest lasts at least 3.5 s, which is twice two seconds, less an eighth.
            clock.advance(by: .seconds(3))
            try await fixture.expect(.hostResting, "/photo-small.jpg")
            clock.advance(by: .seconds(2))
            try await fixture.expect(nil, "/photo-small.jpg")
        }
    }

    @Test func `the next fetch tests a host if the first test of the host is cancelled`() async throws {
        try await with { fixture in
            _ = try await failUntilRest(fixture, "/status/503/photo-small.jpg", at: fixture.origin.baseURL)
            clock.advance(by: .seconds(3))
            let probe = Task { await fixture.fetch("/stall/headers/photo-small.jpg", into: files) }
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            probe.cancel()
            #expect(await probe.value.reason == .cancelled)
            await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
            try await fixture.expect(nil, "/photo-small.jpg")
        }
    }

    @Test func `a URL whose connection failed is fetched again only after the failure has expired`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { other in
            let url = other.baseURL + "/photo-small.jpg"
            await other.stop()
            try await with { fixture in
                let first = await fixture.fetch(url: url, into: files)
                #expect(first.reason == .connectFailed)
                let remembered = StageTrace()
                let second = await fixture.fetch(url: url, into: files, trace: remembered)
                #expect(second.reason == .connectFailed)
                #expect(second.detail?.contains("found out") == true)
                #expect(remembered.transfers.isEmpty)
                clock.advance(by: .seconds(3))
                let tried = StageTrace()
                _ = await fixture.fetch(url: url, into: files, trace: tried)
                #expect(!tried.transfers.isEmpty)
            }
        }
    }
}
