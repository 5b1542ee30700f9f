import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests that a hanging host does not delay other hosts, and that hanging files do not delay the other files of
/// their host.
@Suite(.timeLimit(.minutes(1))) struct FairnessTests {
    private let files = CountedFiles()

    private var limits: FetchLimits {
        var limits = FetchLimits()
        (limits.stallThreshold, limits.hedgeAfter) = (.milliseconds(50), .milliseconds(50))
        return limits
    }

    /// Starts a number of hanging fetches at the fixture's origin, runs the body, and cancels them.
    private func hanging(
        _ count: Int, limits: FetchLimits, _ body: (OriginFixture) async throws -> Void
    ) async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            try await withThrowingTaskGroup { group in
                for number in 0..<count {
                    group.addTask { [files] in
                        await fixture.fetch("/stall/headers/photo-small.jpg?\(number)", into: files)
                    }
                }
                try await body(fixture)
                group.cancelAll()
                for try await result in group { #expect(result.reason == .cancelled) }
            }
            // The connections of the other files stay open for later requests.
            await fixture.origin.waitUntil { $0.disconnectsBeforeFinish == $0.stallsReached }
            await files.waitUntilClosed()
        }
    }

    private func fetchAll(_ count: Int, of url: String, _ fixture: OriginFixture) async throws {
        let expected = try Fixtures.bytes("media/photo-small.jpg")
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask { [files] in try await fixture.fetch(url: "\(url)?\(number)", into: files).get().bytes }
            }
            for try await bytes in group { #expect(bytes == expected) }
        }
    }

    @Test func `hundreds of hanging transfers of one host do not delay the files of another host`() async throws {
        var limits = limits
        // The good origin runs in this process too. If the machine is slow, the silence of this origin must not cause
        // second connections.
        (limits.stallThreshold, limits.hedgeAfter) = (.milliseconds(250), .milliseconds(250))
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { [limits] good in
            try await hanging(300, limits: limits) { fixture in
                await fixture.origin.waitUntil { $0.stallsReached >= 80 }
                try await fetchAll(64, of: good.baseURL + "/photo-small.jpg", fixture)
                // The last byte may arrive before the origin has counted the response.
                await good.waitUntil { $0.responsesFinished >= 64 }
                #expect(good.counts.responsesFinished == 64)
            }
        }
    }

    @Test func `hanging transfers of a host release their permits to other transfers of the same host`() async throws {
        try await hanging(40, limits: limits) { fixture in
            await fixture.origin.waitUntil { $0.stallsReached >= 40 }
            try await fetchAll(20, of: fixture.origin.baseURL + "/photo-small.jpg", fixture)
        }
    }

    @Test func `the connections of a host do not exceed its limits of active and stalled transfers`() async throws {
        var limits = limits
        limits.connectionsPerHost = 4
        limits.stalledPerHost = 8
        try await hanging(60, limits: limits) { fixture in
            await fixture.origin.waitUntil { $0.stallsReached >= 12 }
            // These fetches take so long that a thirteenth transfer would arrive during them, if the limit permitted
            // one.
            try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { good in
                try await fetchAll(20, of: good.baseURL + "/drip/200ms/photo-small.jpg", fixture)
            }
            // The limit is twelve transfers, and a second connection for each of them.
            #expect(fixture.origin.counts.connectionsAccepted <= 12 + 12)
            #expect(fixture.origin.counts.requests < 60)
        }
    }

    @Test func `the transfers of all hosts together do not exceed the total limit`() async throws {
        var limits = limits
        limits.connections = 6
        limits.connectionsPerHost = 4
        (limits.stallThreshold, limits.hedgeAfter) = (.seconds(10), .seconds(10))
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { good in
            try await hanging(30, limits: limits) { fixture in
                await fixture.origin.waitUntil { $0.stallsReached >= 4 }
                try await fetchAll(12, of: good.baseURL + "/drip/50ms/photo-small.jpg", fixture)
                #expect(good.counts.connectionsAccepted <= 2)
                #expect(fixture.origin.counts.requests == 4)
            }
        }
    }
}
