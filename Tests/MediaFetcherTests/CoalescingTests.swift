import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests that simultaneous requests for one URL share one transfer.
@Suite(.timeLimit(.minutes(2))) struct CoalescingTests {
    private let files = CountedFiles()
    private let gate = Gate()

    @Test(arguments: [2, 50, 10_000])
    func `simultaneous requests for one URL share one transfer, and all get the bytes`(_ count: Int) async throws {
        try await OriginFixture.with(resolver: GatedNames(behind: gate)) { fixture in
            let traces = (0..<count).map { _ in StageTrace() }
            let expected = try Fixtures.bytes("media/photo-small.jpg")
            try await withThrowingTaskGroup { group in
                for trace in traces {
                    group.addTask {
                        try await fixture.fetch(
                            url: fixture.namedURL + "/photo-small.jpg", into: files, trace: trace
                        ).get()
                    }
                }
                try await traces.waitUntilUnderWay()
                gate.open()
                var statuses: [CacheStatus: Int] = [:]
                var names: Set<String> = []
                for try await media in group {
                    statuses[media.cache, default: 0] += 1
                    names.insert(media.identity)
                    if names.count > 1 || statuses.count == 1 { #expect(try media.bytes == expected) }
                    #expect(media.byteCount == expected.count)
                }
                #expect(statuses == [.miss: 1, .coalesced: count - 1])
                #expect(names.count == 1)
            }
            #expect(fixture.origin.counts.requests == 1)
            #expect(fixture.origin.counts.connectionsAccepted == 1)
            #expect(files.made == 1)
            for trace in traces {
                #expect(trace.stages().map(\.name) == [.dns, .queue, .connect, .wait, .body])
                #expect(trace.transfers.map(\.status) == [200])
            }
            await files.waitUntilClosed()
        }
    }

    @Test func `wouldDownload is true for a URL before its transfer and after a transfer that stored nothing`()
        async throws
    {
        try await OriginFixture.with { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            let url = fixture.origin.baseURL + path
            #expect(await fixture.fetcher.wouldDownload(url, for: nil))
            await withTaskGroup { group in
                group.addTask { await fixture.fetch(path, into: files) }
                await fixture.origin.waitUntil { $0.stallsReached == 1 }
                #expect(await !fixture.fetcher.wouldDownload(url, for: nil))
                group.cancelAll()
            }
            #expect(await fixture.fetcher.wouldDownload(url, for: nil))
            #expect(await !fixture.fetcher.wouldDownload("ftp://example.net/x", for: nil))
        }
    }

    @Test func `requests for different URLs have separate transfers, even for the same file`() async throws {
        try await OriginFixture.with { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            await withTaskGroup { group in
                for query in ["", "?", "?1", "?2"] {
                    group.addTask { await fixture.fetch(path + query, into: files) }
                }
                await fixture.origin.waitUntil { $0.stallsReached == 4 }
                group.cancelAll()
            }
            #expect(fixture.origin.counts.hits(path) == 4)
        }
    }

    @Test func `a request under changed rules has a separate transfer with its own credentials`() async throws {
        try await OriginFixture.with { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            await withTaskGroup { group in
                group.addTask { await fixture.fetch(path, into: files) }
                await fixture.origin.waitUntil { $0.stallsReached == 1 }
                var policy = FetchPolicy(
                    headers: OriginHeaders(["127.0.0.1": [(name: "Authorization", value: "Bearer x")]]))
                policy.addresses = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap(AddressRange.init))
                fixture.fetcher.change(policy)
                group.addTask { await fixture.fetch(path, into: files) }
                await fixture.origin.waitUntil { $0.stallsReached == 2 }
                group.cancelAll()
            }
            #expect(fixture.origin.counts.requests == 2)
            #expect(fixture.origin.counts.requestsAuthorized == 1)
        }
    }

    @Test func `each request has its own deadline`() async throws {
        try await OriginFixture.with { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            let patient = Task { await fixture.fetch(path, into: files) }
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            let start = MonotonicInstant.now
            let hasty = await fixture.fetch(path, into: files, within: .milliseconds(100))
            #expect(hasty.reason == .budgetExceeded)
            #expect(start.duration(to: .now) >= .milliseconds(100))
            #expect(fixture.origin.counts.disconnectsBeforeFinish == 0)
            patient.cancel()
            #expect(await patient.value.reason == .cancelled)
            await fixture.origin.waitUntil { $0.disconnectsBeforeFinish == 1 }
            #expect(fixture.origin.counts.requests == 1)
            await files.waitUntilClosed()
        }
    }

    @Test(arguments: [0, 1, 4])
    func `a cancelled request does not affect the other requests, even if it was the first`(_ leaver: Int) async throws
    {
        try await OriginFixture.with(resolver: GatedNames(behind: gate)) { fixture in
            let (tasks, traces) = try await five("/photo-small.jpg", fixture)
            tasks[leaver].cancel()
            #expect(await tasks[leaver].value.reason == .cancelled)
            gate.open()
            let expected = try Fixtures.bytes("media/photo-small.jpg")
            for number in tasks.indices where number != leaver {
                let media = try await tasks[number].value.get()
                #expect(try media.bytes == expected)
                #expect(traces[number].transfers.count == 1)
            }
            #expect(traces[leaver].transfers.isEmpty)
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    @Test func `the cancellation of the last request ends the transfer`() async throws {
        try await OriginFixture.with(resolver: GatedNames(behind: gate)) { fixture in
            gate.open()
            let (tasks, _) = try await five("/stall/after/1000/photo-small.jpg", fixture)
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            for task in tasks.dropLast() {
                task.cancel()
                #expect(await task.value.reason == .cancelled)
            }
            #expect(fixture.origin.counts.disconnectsBeforeFinish == 0)
            #expect(fixture.origin.counts.connectionsOpen == 1)
            tasks.last?.cancel()
            await fixture.origin.waitUntil { $0.disconnectsBeforeFinish == 1 && $0.connectionsOpen == 0 }
            #expect(fixture.origin.counts.requests == 1)
            await files.waitUntilClosed()
        }
    }

    @Test func `a request after the cancellation of all other requests starts a new transfer`() async throws {
        try await OriginFixture.with { fixture in
            let path = "/flaky/1/stall/after/1000/photo-small.jpg"
            let first = Task { await fixture.fetch(path, into: files) }
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            first.cancel()
            #expect(await first.value.reason == .cancelled)
            let second = try await fixture.fetch(path, into: files).get()
            #expect(try second.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(second.cache == .miss)
        }
    }

    @Test func `a request that joins a running transfer gets the later stages and the result`() async throws {
        var limits = FetchLimits()
        (limits.stallThreshold, limits.hedgeAfter) = (.seconds(10), .seconds(10))
        try await OriginFixture.with(limits: limits) { fixture in
            let first = Task { await fixture.fetch("/delay/1s/photo-small.jpg", into: files) }
            await fixture.origin.waitUntil { $0.requests == 1 }
            let trace = StageTrace()
            let late = try await fixture.fetch("/delay/1s/photo-small.jpg", into: files, trace: trace).get()
            #expect(late.cache == .coalesced)
            #expect(trace.stages().map(\.name) == [.wait, .body])
            #expect(trace.transfers.count == 1)
            #expect(try await first.value.get().identity == late.identity)
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    @Test func `all requests of a transfer get its failure`() async throws {
        try await OriginFixture.with(resolver: GatedNames(behind: gate)) { fixture in
            let (tasks, traces) = try await five("/status/404/photo-small.jpg", fixture)
            gate.open()
            for task in tasks { #expect(await task.value.reason == .httpStatus) }
            for trace in traces { #expect(trace.transfers.map(\.status) == [404]) }
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    @Test func `a file that is too large is not requested again while its failure is cached`() async throws {
        var limits = FetchLimits()
        limits.imageBytes = 1_000
        try await OriginFixture.with(limits: limits) { fixture in
            for _ in 0..<3 {
                let result = await fixture.fetch("/photo-small.jpg", into: files)
                #expect(result.reason == .tooLarge)
            }
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    @Test func `each request can follow the progress to its end`() async throws {
        try await OriginFixture.with { fixture in
            let watches = (0..<3).map { _ in FetchProgress() }
            let tasks = watches.map { watch in
                Task { await fixture.fetch("/drip/200ms/photo-small.jpg", into: files, progress: watch) }
            }
            let count = try Fixtures.bytes("media/photo-small.jpg").count
            for watch in watches {
                var last: FetchProgress.State?
                for await state in watch {
                    #expect(state.receivedBytes > last?.receivedBytes ?? 0)
                    last = state
                }
                #expect(last == FetchProgress.State(receivedBytes: count, expectedBytes: count))
            }
            for task in tasks { _ = try await task.value.get() }
        }
    }

    /// Starts five fetches of a path, and returns when all wait for the gate.
    private func five(
        _ path: String, _ fixture: OriginFixture
    ) async throws -> ([Task<Result<FetchedMedia, MediaFailure>, Never>], [StageTrace]) {
        var tasks: [Task<Result<FetchedMedia, MediaFailure>, Never>] = []
        var traces: [StageTrace] = []
        for _ in 0..<5 {
            let trace = StageTrace()
            traces.append(trace)
            tasks.append(Task { await fixture.fetch(url: fixture.namedURL + path, into: files, trace: trace) })
            // The first fetch starts the transfer, and the others join one after the other.
            try await [trace].waitUntilUnderWay()
        }
        return (tasks, traces)
    }
}
