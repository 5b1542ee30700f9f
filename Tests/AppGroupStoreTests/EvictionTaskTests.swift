import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

@Suite struct EvictionTaskTests {
    /// Runs a body with an eviction task and its reports.
    private func with(
        _ limits: ContainerLimits,
        _ body: (StoreFixture, EvictionTask, ManualClock, inout Reports) async throws -> Void
    ) async throws {
        let clock = ManualClock(date: Date(timeIntervalSinceNow: 3_600))
        let (stream, continuation) = AsyncStream.makeStream(of: EvictionReport.self)
        try await StoreFixture.with { fixture in
            let evictionTask = EvictionTask(fixture.store, limits: limits, clock: clock) { continuation.yield($0) }
            let running = Task { await evictionTask.run() }
            var reports = Reports(stream.makeAsyncIterator())
            do { try await body(fixture, evictionTask, clock, &reports) } catch {
                running.cancel()
                await running.value
                throw error
            }
            running.cancel()
            await running.value
        }
    }

    struct Reports {
        private var iterator: AsyncStream<EvictionReport>.AsyncIterator

        init(_ iterator: AsyncStream<EvictionReport>.AsyncIterator) { self.iterator = iterator }

        mutating func next() async throws -> EvictionReport {
            let next = await iterator.next(isolation: nil)
            return try #require(next)
        }
    }

    @Test func `the task runs an eviction at its start, and then runs an eviction every minute`() async throws {
        try await with(ContainerLimits(quota: 5)) { fixture, _, clock, reports in
            #expect(try await reports.next().keptBytes == 0)
            try await fixture.keep("abc")
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
            #expect(try await reports.next().keptBytes == 3)
        }
    }

    @Test func `the task runs an eviction at once when the stored bytes exceed the quota`() async throws {
        try await with(ContainerLimits(quota: 5)) { fixture, _, _, reports in
            _ = try await reports.next()
            for text in ["abc", "def"] { try await fixture.keep(text) }
            let report = try await reports.next()
            #expect(report.evictedFiles == 1 && report.keptBytes == 3)
        }
    }

    @Test func `the task applies changed limits at once`() async throws {
        try await with(ContainerLimits(quota: 50)) { fixture, evictionTask, _, reports in
            _ = try await reports.next()
            try await fixture.keep("abc")
            evictionTask.change(ContainerLimits(quota: 2))
            #expect(try await reports.next().keptBytes == 0)
        }
    }
}
