import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// A transfer that stands still is overtaken by a second connection.
@Suite(.timeLimit(.minutes(1))) struct HedgeTests {
    private let files = CountedFiles()

    private var limits: FetchLimits {
        var limits = FetchLimits()
        limits.stallThreshold = .milliseconds(100)
        limits.hedgeAfter = .milliseconds(100)
        limits.connectionsPerHost = 64
        return limits
    }

    @Test(arguments: ["/flaky/1/stall/after/1000", "/flaky/1/stall/headers"])
    func `a transfer that stalls once is overtaken, and its connection closed`(_ fault: String) async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            let trace = StageTrace()
            let path = "\(fault)/photo-small.jpg"
            let start = MonotonicInstant.now
            let media = try await fixture.fetch(path, into: files, trace: trace).get()
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(try media.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(fixture.origin.counts.hits(path) == 2)
            // The first one has not come to its end; the second serves again.
            await fixture.origin.waitUntil { $0.disconnectsBeforeFinish == 1 && $0.connectionsOpen == 1 }
            let names = trace.stages().map(\.name)
            #expect(Array(names.prefix(3)) == [.queue, .connect, .wait])
            #expect(names.count(where: { $0 == .connect }) == 1)
            #expect(trace.transfers.map(\.failure) == [nil])
            #expect(trace.transfers.map(\.isHedged) == [true])
        }
    }

    @Test func `without a time for it no second connection is opened`() async throws {
        var limits = limits
        limits.hedgeAfter = nil
        try await OriginFixture.with(limits: limits) { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            let result = await fixture.fetch(path, into: files, within: .seconds(1))
            #expect(result.reason == .budgetExceeded)
            #expect(fixture.origin.counts.hits(path) == 1)
        }
    }

    @Test func `one that moves is left alone, were it slow`() async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            let media = try await fixture.fetch("/drip/1s/photo-small.jpg", into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    @Test func `when both stall it is one failure, and nothing is left of either`() async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            let result = await fixture.fetch(path, into: files, within: .seconds(1))
            #expect(result.reason == .budgetExceeded)
            #expect(fixture.origin.counts.hits(path) == 2)
            await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
            await files.waitUntilClosed()
        }
    }

    @Test func `a first one that breaks off leaves the matter to the second`() async throws {
        var limits = limits
        limits.idle = .milliseconds(300)
        try await OriginFixture.with(limits: limits) { fixture in
            // The first is given up after its idle time, when the second has begun to drip.
            let path = "/drip/1s/flaky/1/stall/after/1000/photo-small.jpg"
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(fixture.origin.counts.hits(path) == 2)
        }
    }

    @Test func `where everything stands still only so many have a second connection`() async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            await withTaskGroup { group in
                for number in 0..<40 {
                    group.addTask { [files] in
                        await fixture.fetch(
                            "/stall/headers/photo-small.jpg?\(number)", into: files, within: .seconds(1))
                    }
                }
                for await result in group { #expect(result.reason == .budgetExceeded) }
            }
            #expect(fixture.origin.counts.requests == 40 + 4)
            await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
            await files.waitUntilClosed()
        }
    }

    @Test func `who leaves takes both along`() async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            let task = Task { [files] in await fixture.fetch("/stall/after/1000/photo-small.jpg", into: files) }
            await fixture.origin.waitUntil { $0.stallsReached == 2 }
            task.cancel()
            #expect(await task.value.reason == .cancelled)
            await fixture.origin.waitUntil { $0.disconnectsBeforeFinish == 2 && $0.connectionsOpen == 0 }
            await files.waitUntilClosed()
        }
    }
}
