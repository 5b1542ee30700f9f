import MediaTypes
import NotificationModel
import Primitives
import Testing
import TranscodeProtocol

@testable import TranscodePool

struct PoolPermitTests {
    private func permit(in scheduler: SharedScheduler) -> PoolPermit {
        PoolPermit(
            TranscodeFlow(group: .default, host: "a.example"), until: .now.advanced(by: .seconds(30)), in: scheduler,
            observer: { _ in })
    }

    @Test func `a permit holds one reservation until its release`() throws {
        let scheduler = SharedScheduler(size: 1)
        let permit = permit(in: scheduler)
        try permit.acquire()
        let job = try #require(permit.job)
        try permit.acquire()
        #expect(permit.job == job)
        #expect(scheduler.state.withLock { $0.machine.isReserved(job) })
        permit.release()
        #expect(!scheduler.state.withLock { $0.machine.isReserved(job) })
    }

    @Test func `a wait beyond the deadline is returned as a duration, and no job is reserved`() throws {
        let scheduler = SharedScheduler(size: 1)
        let flow = TranscodeFlow(group: .default, host: "a.example")
        let now = MonotonicInstant.now
        let deadline = now.advanced(by: .seconds(1))
        let terms = TranscodeTerms(flow: flow, deadline: deadline, cost: 4e5, leastCost: 4e5)
        let waits = scheduler.state.withLock { scheduler in
            let before = scheduler.excessiveWait(of: flow, until: deadline, at: now)
            for job in 1...3 as ClosedRange<JobID> { _ = scheduler.handle(.submitted(job, terms), at: now) }
            let after = scheduler.excessiveWait(of: flow, until: deadline, at: now)
            return (before, after, scheduler.machine.waitingCount)
        }
        #expect(waits.0 == nil)
        #expect(try #require(waits.1) > .seconds(1))
        #expect(waits.2 == 2)
    }

    /// The permit of the download reserves the 3 s that media of this host take.
    @Test func `a permit for the first part of a file reserves a second job for a still image`()
        throws
    {
        let scheduler = SharedScheduler(size: 2)
        let flow = TranscodeFlow(group: .default, host: "a.example")
        let cost = TranscodeCost(ordered: 3_000_000, least: 60_000, made: 3_000_000)
        scheduler.state.withLock { scheduler in
            let video = SourceMeasure(format: .avi, pixels: nil, byteCount: 12_000_000)
            scheduler.estimator.note(video, from: "a.example", took: 3e6, worked: 3e6, cost: cost)
        }
        let end = MonotonicInstant.now + .milliseconds(800)
        for isPart in [false, false, false, true, true] {
            let permit = PoolPermit(flow, until: end, isPart: isPart, in: scheduler, observer: { _ in })
            try permit.acquire()
            #expect(permit.job != nil)
        }
    }

    @Test func `a permit that was released before the download reserves no job`() throws {
        let permit = permit(in: SharedScheduler(size: 1))
        permit.release()
        try permit.acquire()
        #expect(permit.job == nil)
    }
}
