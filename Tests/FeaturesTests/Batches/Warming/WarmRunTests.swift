import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of complete runs with a fake warmer.
@Suite struct WarmRunTests {
    private let clock = ManualClock()

    private func run(
        _ items: [WarmItem], _ warmer: FakeWarmer, history: WarmHistory = WarmHistory(), concurrency: Int = 4,
        interruption: AsyncEvent = AsyncEvent(), observe: (WarmEvent) -> Void = { _ in }
    ) async throws -> WarmReport {
        var limits = WarmSchedule.Limits()
        limits.concurrency = concurrency
        let run = WarmRun(
            warmer: warmer, journal: nil, history: history, limits: limits, budget: .seconds(5), clock: clock)
        return try await run.run(
            { intake in for item in items { await intake.add(item) } }, interruption: interruption, observe: observe)
    }

    @Test func `each item is tried once, and the sums of the report are consistent`() async throws {
        let items = WarmSamples.items(50) + WarmSamples.items(50, host: "b.example")
        let warmer = FakeWarmer { item, _ in
            WarmSamples.url(item).hasSuffix("7.jpg")
                ? WarmSamples.failed(item, .httpStatus) : WarmSamples.warm(item, bytes: 10)
        }
        let report = try await run(items + items.prefix(3), warmer)
        #expect(Set(warmer.order).count == 100)
        #expect(warmer.order.count == 100)
        #expect(warmer.most <= 4)
        #expect(report.total.warm == 90)
        #expect(report.total.failed == 10)
        #expect(report.repeated == 3)
        #expect(report.items == 103)
        #expect(report.reasons == [.httpStatus: 10])
        #expect(report.hosts.values.map(\.done).reduce(0, +) == 100)
        #expect(report.total.sourceBytes == 900)
    }

    @Test func `all items of a host are warm at the end even if the host refuses the first requests`() async throws {
        let refusals = Guarded(50)
        let warmer = FakeWarmer { item, _ in
            let isRefused = refusals.withLock { left in
                left -= 1
                return left >= 0
            }
            return isRefused ? WarmSamples.refused(item, pause: .seconds(2)) : WarmSamples.warm(item)
        }
        // A run that waits for a host has two sleeping tasks: one for the next progress, and one for the end of the
        // wait.
        let turning = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(2)
                clock.advance(by: .milliseconds(100))
            }
        }
        let report = try await run(WarmSamples.items(100), warmer, concurrency: 16)
        turning.cancel()
        let sleepers = (0..<2).map { _ in Task { await clock.sleep(until: clock.now + .seconds(3_600)) } }
        await turning.value
        for sleeper in sleepers { sleeper.cancel() }
        #expect(report.total.warm == 100)
        #expect(warmer.order.count == 150)
    }

    /// Writes records to a journal, and closes it.
    private func write(_ records: [WarmRecord], of batch: WarmBatch, to path: String) async throws {
        let journal = try WarmJournal(path)
        defer { journal.shutdown() }
        _ = try await journal.begin(batch, .automatic, at: clock.date)
        try await journal.append(records)
    }

    /// The journal of the earlier run has the first four of ten items, and an item that is no longer in the list.
    @Test func `an item of an earlier run is not tried again, and is reported if the list contains it`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/a.journal"
        let batch = WarmBatch(sources: ["list"], target: "/root", options: [])
        let items = WarmSamples.items(10)
        let gone = WarmSamples.items(1, host: "gone.example")
        try await write(
            (items.prefix(4) + gone).map { WarmRecord($0, WarmSamples.warm($0, bytes: 10), took: .seconds(1)) },
            of: batch, to: path)
        let journal = try WarmJournal(path)
        defer { journal.shutdown() }
        let history = try await journal.begin(batch, .automatic, at: clock.date)
        let warmer = FakeWarmer { item, _ in WarmSamples.warm(item) }
        var progress = WarmProgress()
        let run = WarmRun(
            warmer: warmer, journal: journal, history: history, limits: WarmSchedule.Limits(), budget: .seconds(5),
            clock: clock)
        let report = try await run.run(
            { intake in for item in items { await intake.add(item) } }, interruption: AsyncEvent(),
            observe: { if case .progress(let latest) = $0 { progress = latest } })
        #expect(warmer.order.count == 6)
        #expect(report.total.warm == 10)
        #expect(report.total.sourceBytes >= 40)
        #expect(report.earlier == 4)
        #expect(report.items == 10)
        #expect(report.hosts["gone.example"] == nil)
        #expect(progress.done <= 10)
        // The file has a header, five records of the earlier run, six of this one, and the end.
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 13)
    }

    @Test func `no item starts after an interruption, and the running items end`() async throws {
        let interruption = AsyncEvent()
        let warmer = FakeWarmer { item, _ in
            interruption.signal()
            await Task.yield()
            return WarmSamples.warm(item)
        }
        let report = try await run(WarmSamples.items(20), warmer, concurrency: 2, interruption: interruption)
        #expect((1...4).contains(report.total.warm))
        #expect(report.total.warm == warmer.order.count)
        #expect(report.items <= 20)
    }

    @Test func `a line that is not an item is reported as failed`() async throws {
        let run = WarmRun(
            warmer: FakeWarmer { item, _ in WarmSamples.warm(item) }, journal: nil, history: WarmHistory(),
            limits: WarmSchedule.Limits(), budget: .seconds(1), clock: clock)
        let report = try await run.run(
            { await $0.add(WarmProblem(place: "a.json:3", text: "is no JSON")) }, interruption: AsyncEvent(),
            observe: { _ in })
        #expect(report.reasons == [.invalidPayload: 1])
        #expect(report.failures.first?.name == "a.json:3")
    }

    @Test func `all problems of a source are counted, and a limited number of problems is listed`() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/a.journal"
        let journal = try WarmJournal(path)
        defer { journal.shutdown() }
        _ = try await journal.begin(WarmBatch(sources: ["a.json"], target: "/root", options: []), .anew, at: clock.date)
        let run = WarmRun(
            warmer: FakeWarmer { item, _ in WarmSamples.warm(item) }, journal: journal, history: WarmHistory(),
            limits: WarmSchedule.Limits(), budget: .seconds(1), clock: clock)
        let read = Guarded(0)
        let ended = Guarded(0)
        let maxDelayed = Guarded(0)
        let report = try await run.run(
            { intake in
                for line in 1...100_000 {
                    await intake.add(WarmProblem(place: "a.json:\(line)", text: "is no JSON"))
                    read.withLock { $0 += 1 }
                }
            }, interruption: AsyncEvent(),
            observe: { event in
                guard case .ended = event else { return }
                ended.withLock { $0 += 1 }
                let leased = read.withLock { $0 } - ended.withLock { $0 }
                maxDelayed.withLock { $0 = max($0, leased) }
            })
        #expect(report.total.failed == 100_000)
        #expect(report.items == 100_000)
        #expect(report.reasons == [.invalidPayload: 100_000])
        #expect(report.hosts[""]?.failed == 100_000)
        #expect(report.failures.count == 1_000)
        #expect(report.failures.last?.name == "a.json:1000")
        #expect(report.json["failuresNotListed"] == 99_000)
        #expect(ended.withLock { $0 } == 1_000)
        #expect(maxDelayed.withLock { $0 } <= WarmRun.readAhead)
        let lines = try FileSystem.contents(of: path).count { $0 == UInt8(ascii: "\n") }
        // The file has the header, the problems, and the end of the run.
        #expect(lines == 1_002)
    }
}
