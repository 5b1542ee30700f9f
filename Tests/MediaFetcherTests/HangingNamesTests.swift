import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests that a silent name server delays only the fetches that need it.
@Suite(.serialized, .timeLimit(.minutes(1))) struct HangingNamesTests {
    private let files = CountedFiles()

    private func with(_ body: (OriginFixture) async throws -> Void) async throws {
        let server = try SilentNameServer()
        var policy = FetchPolicy()
        policy.resolver.nameservers = [server.address]
        try await OriginFixture.with(policy: policy) { try await body($0) }
        _ = consume server
    }

    private func url(_ number: Int, _ fixture: OriginFixture) -> String {
        "http://name\(number).test:\(fixture.origin.port)/photo-small.jpg"
    }

    @Test func `a fetch with a hanging name ends with the budget, and its error names the stage`() async throws {
        try await with { fixture in
            let start = MonotonicInstant.now
            let trace = StageTrace()
            let result = await fixture.fetch(
                url: url(0, fixture), into: files, within: .milliseconds(200), trace: trace)
            let elapsed = start.duration(to: .now)
            #expect(result.reason == .budgetExceeded)
            #expect(result.detail?.contains("\"dns\"") == true)
            #expect(elapsed >= .milliseconds(200) && elapsed < .milliseconds(200) + FaultBench.tolerance)
            #expect(trace.stages().map(\.name) == [.dns])
            #expect(files.made == 0)
        }
    }

    @Test func `a name whose server does not answer in time fails with dns-failed`() async throws {
        let server = try SilentNameServer()
        var policy = FetchPolicy()
        policy.resolver.nameservers = [server.address]
        policy.resolver.queryTimeout = .milliseconds(20)
        policy.resolver.tries = 1
        try await FaultBench(policy: policy).expect(.dnsFailed) {
            "http://name.test:\($0.port)/photo-small.jpg"
        }
        _ = consume server
    }

    @Test func `hundreds of hanging names do not delay other fetches`() async throws {
        try await with { fixture in
            try await withThrowingTaskGroup { group in
                try await hang(200, fixture, &group)
                let expected = try Fixtures.bytes("media/photo-small.jpg")
                for number in 0..<20 {
                    let media = try await fixture.fetch("/photo-small.jpg?\(number)", into: files).get()
                    #expect(try media.bytes == expected)
                }
                group.cancelAll()
                for try await result in group { #expect(result.reason == .cancelled) }
            }
        }
    }

    @Test func `a cancelled fetch ends at once while the resolution of its host name hangs`() async throws {
        try await with { fixture in
            try await withThrowingTaskGroup { group in
                try await hang(200, fixture, &group)
                let start = MonotonicInstant.now
                group.cancelAll()
                for try await result in group { #expect(result.reason == .cancelled) }
                #expect(start.duration(to: .now) < FaultBench.tolerance)
            }
        }
    }

    @Test func `cancelled fetches with hanging names leak nothing`() async throws {
        try await with { fixture in
            // The first fetches make the system open the descriptors that it keeps.
            try await cancel(4, fixture)
            let before = LeakCensus.take()
            for _ in 0..<5 { try await cancel(200, fixture) }
            let after = LeakCensus.take()
            #expect(after.leaks(since: before) == [:])
            #expect(after.threads <= before.threads)
        }
    }

    @Test func `a name beyond the limit of open questions is refused at once`() async throws {
        try await with { fixture in
            let most = ResolverSettings().questions
            try await withThrowingTaskGroup { group in
                try await hang(most, fixture, &group)
                let start = MonotonicInstant.now
                let result = await fixture.fetch(url: url(most, fixture), into: files)
                #expect(result.reason == .overloaded)
                #expect(start.duration(to: .now) < FaultBench.tolerance)
                group.cancelAll()
            }
        }
    }

    @Test func `a second fetch for a hanging name has its own budget`() async throws {
        try await with { fixture in
            let first = Task { await fixture.fetch(url: url(0, fixture), into: files) }
            let second = await fixture.fetch(url: url(0, fixture) + "?other", into: files, within: .milliseconds(100))
            #expect(second.reason == .budgetExceeded)
            first.cancel()
            #expect(await first.value.reason == .cancelled)
        }
    }

    private func cancel(_ count: Int, _ fixture: OriginFixture) async throws {
        try await withThrowingTaskGroup { group in
            try await hang(count, fixture, &group)
            group.cancelAll()
            for try await result in group { #expect(result.reason == .cancelled) }
        }
        // The questions of cancelled fetches end in a callback of the loop, which runs before this fetch.
        try await fixture.expect(.httpStatus, "/status/404/photo-small.jpg")
        await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
    }

    /// Starts a number of fetches, and returns when all of them wait for their names.
    private func hang(
        _ count: Int, _ fixture: OriginFixture,
        _ group: inout ThrowingTaskGroup<Result<FetchedMedia, MediaFailure>, any Error>
    ) async throws {
        let traces = (0..<count).map { _ in StageTrace() }
        for (number, trace) in traces.enumerated() {
            let url = url(number, fixture)
            group.addTask { [files] in await fixture.fetch(url: url, into: files, trace: trace) }
        }
        try await traces.waitUntilUnderWay()
        for trace in traces { #expect(trace.stages().map(\.name) == [.dns]) }
    }
}
