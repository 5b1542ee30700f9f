import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of cancellation. They count the descriptors and threads of the process, and therefore run serially.
@Suite(.serialized) struct FetchCancelTests {
    @Test func `the cancellation of a task ends its transfer and closes the socket`() async throws {
        try await OriginFixture.with { fixture in
            let task = Task { try await fixture.fetch("/stall/after/1000/coach/week3.mp4") }
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            task.cancel()
            let result = try await task.value
            #expect(result.reason == .cancelled)
            await fixture.origin.waitUntil { $0.disconnectsBeforeFinish == 1 && $0.connectionsOpen == 0 }
        }
    }

    @Test func `a task that was cancelled before its start sends no request`() async throws {
        try await OriginFixture.with { fixture in
            let task = Task {
                await Task { await Task.yield() }.value
                withUnsafeCurrentTask { $0?.cancel() }
                return try await fixture.fetch("/photo-small.jpg")
            }
            let result = try await task.value
            #expect(result.reason == .cancelled)
            #expect(fixture.origin.counts.requests == 0)
        }
    }

    @Test func `cancelling one transfer does not affect another transfer`() async throws {
        try await OriginFixture.with { fixture in
            let stalled = Task { try await fixture.fetch("/stall/after/1000/coach/week3.mp4") }
            let good = Task { try await fixture.fetch("/drip/300ms/photo-small.jpg") }
            await fixture.origin.waitUntil { $0.stallsReached == 1 && $0.requests == 2 }
            stalled.cancel()
            let cancelled = try await stalled.value
            #expect(cancelled.reason == .cancelled)
            let media = try await good.value.get()
            let expected = try Fixtures.bytes("media/photo-small.jpg")
            #expect(media.byteCount == expected.count)
        }
    }

    @Test func `a transfer that is cancelled at once reports no values of the handle's previous transfer`() async throws
    {
        let reported = Guarded<[TransferTiming]>([])
        let observer: @Sendable (FetchEvent) -> Void = { event in
            if case .transferred(let timing) = event { reported.withLock { $0.append(timing) } }
        }
        try await OriginFixture.with(observer: observer) { fixture in
            for turns in 0..<40 {
                // The next fetch reuses the handle of this fetch.
                _ = try await fixture.fetch("/photo-small.jpg").get()
                reported.withLock { $0 = [] }
                let task = Task(executorPreference: fixture.fetcher.executor) {
                    try await fixture.fetch("/stall/after/0/photo-small.jpg?\(turns)")
                }
                await Task(executorPreference: fixture.fetcher.executor) {
                    for _ in 0..<turns { await Task.yield() }
                    task.cancel()
                }.value
                let result = try await task.value
                #expect(result.reason == .cancelled)
                // The headers may have arrived before the cancellation, but no byte of the body has arrived.
                for timing in reported.withLock({ $0 }) { #expect(timing.wireBytes == 0, "\(turns): \(timing)") }
            }
        }
    }

    @Test func `two hundred cancelled transfers leak no descriptor and no thread`() async throws {
        var limits = FetchLimits()
        limits.connectionsPerHost = 256
        try await OriginFixture.with(limits: limits) { fixture in
            // The first 200 transfers make libcurl, the threads and the system open the descriptors that they keep.
            try await Self.cancel(count: 200, after: 200, fixture)
            let before = LeakCensus.take()
            try await Self.cancel(count: 200, after: 400, fixture)
            #expect(LeakCensus.take().leaks(since: before) == [:])
            #expect(LeakCensus.take().threads <= before.threads)
        }
    }

    /// The cancellation may arrive before the transfer has reached its thread, at the same time, or later.
    @Test func `transfers on several threads can be cancelled at any time`() async throws {
        var limits = FetchLimits()
        limits.connectionsPerHost = 256
        try await OriginFixture.with(limits: limits) { fixture in
            let files = CountedFiles()
            await withTaskGroup { group in
                for number in 0..<64 {
                    group.addTask { await fixture.fetch("/stall/headers/photo-small.jpg?\(number)", into: files) }
                }
                for turns in 0..<200 {
                    group.addTask {
                        let task = Task {
                            await fixture.fetch("/stall/after/1000/photo-small.jpg?\(turns)", into: files)
                        }
                        for _ in 0..<turns { await Task.yield() }
                        task.cancel()
                        return await task.value
                    }
                }
                for _ in 0..<200 {
                    let result = await group.next()
                    #expect(result?.reason == .cancelled)
                }
                group.cancelAll()
            }
            await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
            await files.waitUntilClosed()
        }
    }

    private static func cancel(count: Int, after stalls: Int, _ fixture: OriginFixture) async throws {
        let files = CountedFiles()
        await withTaskGroup { group in
            for number in 0..<count {
                group.addTask { await fixture.fetch("/stall/after/1000/coach/week3.mp4?\(number)", into: files) }
            }
            await fixture.origin.waitUntil { $0.stallsReached >= stalls }
            group.cancelAll()
            for await result in group { #expect(result.reason == .cancelled) }
        }
        await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
        // Callers get their result before the transfers close their files.
        await files.waitUntilClosed()
    }
}
