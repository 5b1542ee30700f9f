import Base
import NotificationModel
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of reservations. No worker is started, because no job is submitted.
struct PoolReservationTests {
    private let flow = TranscodeFlow(group: .default, host: "a.example")

    private func isReserved(_ job: JobID, in pool: TranscodePool) -> Bool {
        pool.scheduler.withLock { $0.machine.queue.isReserved(job) }
    }

    @Test func `a reservation holds one job until it is released`() async throws {
        try await withPool(of: "/nowhere") { pool in
            let reservation = PoolReservation(flow, until: .now + .seconds(30), in: pool)
            try reservation.reserve()
            let job = try #require(reservation.job)
            try reservation.reserve()
            #expect(reservation.job == job && isReserved(job, in: pool))
            reservation.release()
            #expect(!isReserved(job, in: pool))
            try reservation.reserve()
            #expect(reservation.job == nil)
        }
    }

    @Test func `the time of a job is its estimated cost at the speed of this machine`() {
        let scheduler = PoolScheduler.trained(factor: 2)
        let terms = scheduler.terms(of: flow, until: .now)
        #expect(abs(terms.time - 120_000) < 2_000 && abs(terms.minTime - 60_000) < 1_000)
    }

    @Test func `a wait beyond the deadline is a refusal, and nothing is reserved`() throws {
        let now = MonotonicInstant.now
        let deadline = now + .seconds(1)
        var scheduler = PoolScheduler(size: 1)
        let terms = TranscodeTerms(flow: flow, deadline: deadline, time: 4e5, minTime: 4e5)
        #expect(scheduler.machine.excessiveWait(for: terms, at: now) == nil)
        for job in 1...3 as ClosedRange<JobID> { _ = scheduler.machine.handle(.submitted(job, terms), at: now) }
        let wait = scheduler.machine.excessiveWait(for: terms, at: now)
        #expect(try #require(wait) > .seconds(1))
        do {
            _ = try scheduler.reserve(for: flow, until: deadline, at: now)
            Issue.record("the job is reserved")
        } catch {
            #expect(error.reason == .overloaded)
        }
        #expect(scheduler.machine.waitingCount == 2)
    }

    @Test func `a refused reservation is always refused`() async throws {
        try await withPool(of: "/nowhere") { pool in
            let reservation = PoolReservation(flow, until: .now, in: pool)
            for _ in 1...2 {
                #expect(throws: MediaFailure.self) { try reservation.reserve() }
            }
            #expect(reservation.job == nil)
        }
    }

    @Test func `the reservation for the first part of a file needs no job`() async throws {
        try await withPool(of: "/nowhere") { pool in
            let reservation = try #require(pool.partReservation(for: flow, until: .now) as? PoolReservation)
            try reservation.reserve()
            #expect(reservation.job == nil && reservation.flow == flow)
        }
    }

    @Test func `a reservation keeps the highest rank`() async throws {
        try await withPool(of: "/nowhere") { pool in
            let reservation = PoolReservation(flow, until: .now + .seconds(30), in: pool)
            reservation.raise(to: flow.priority + 2)
            reservation.raise(to: flow.priority + 1)
            #expect(reservation.rank == flow.priority + 2)
        }
    }
}

extension PoolScheduler {
    /// Creates a scheduler that has learned from jobs of 60 ms, on a machine that is slower by a factor.
    fileprivate static func trained(factor: Double) -> PoolScheduler {
        var scheduler = PoolScheduler(size: 1)
        let cost = TranscodeCost(ordered: 60_000, least: 30_000, made: 60_000)
        for _ in 0..<90 {
            scheduler.estimator.note(
                .test(.jpeg, pixels: 12_000_000, byteCount: 3_000_000), from: "a.example", took: 60_000 * factor,
                worked: 60_000 * factor, cost: cost)
        }
        return scheduler
    }
}
