import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of the second connection that races a stalled transfer.
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
    func `a second connection completes a stalled transfer, and the first connection is closed`(_ fault: String)
        async throws
    {
        try await OriginFixture.with(limits: limits) { fixture in
            let trace = StageTrace()
            let path = "\(fault)/photo-small.jpg"
            let start = MonotonicInstant.now
            let media = try await fixture.fetch(path, into: files, trace: trace).get()
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(try media.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(fixture.origin.counts.hits(path) == 2)
            // The first connection was cut off, and the second one stays open for reuse.
            await fixture.origin.waitUntil { $0.disconnectsBeforeFinish == 1 && $0.connectionsOpen == 1 }
            let names = trace.stages().map(\.name)
            #expect(Array(names.prefix(3)) == [.queue, .connect, .wait])
            #expect(names.count(where: { $0 == .connect }) == 1)
            #expect(trace.transfers.map(\.failure) == [nil])
            #expect(trace.transfers.map(\.isHedged) == [true])
        }
    }

    @Test func `no second connection is opened if hedgeAfter is nil`() async throws {
        var limits = limits
        limits.hedgeAfter = nil
        try await OriginFixture.with(limits: limits) { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            let result = await fixture.fetch(path, into: files, within: .seconds(1))
            #expect(result.reason == .budgetExceeded)
            #expect(fixture.origin.counts.hits(path) == 1)
        }
    }

    @Test func `a slow transfer that keeps receiving gets no second connection`() async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            let media = try await fixture.fetch("/drip/1s/photo-small.jpg", into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(fixture.origin.counts.requests == 1)
        }
    }

    @Test func `a fetch with two stalled connections fails once, and closes both connections`() async throws {
        try await OriginFixture.with(limits: limits) { fixture in
            let path = "/stall/after/1000/photo-small.jpg"
            let result = await fixture.fetch(path, into: files, within: .seconds(1))
            #expect(result.reason == .budgetExceeded)
            #expect(fixture.origin.counts.hits(path) == 2)
            await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
            await files.waitUntilClosed()
        }
    }

    @Test func `the second connection continues after a failure of the first connection`() async throws {
        var limits = limits
        limits.idle = .milliseconds(300)
        try await OriginFixture.with(limits: limits) { fixture in
            // The first transfer exceeds its idle limit after the second one has begun to receive.
            let path = "/drip/1s/flaky/1/stall/after/1000/photo-small.jpg"
            let media = try await fixture.fetch(path, into: files).get()
            #expect(try media.bytes == Fixtures.bytes("media/photo-small.jpg"))
            #expect(fixture.origin.counts.hits(path) == 2)
        }
    }

    @Test func `the number of second connections is limited if all transfers stall`() async throws {
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

    @Test func `the cancellation of a fetch ends both of its connections`() async throws {
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
