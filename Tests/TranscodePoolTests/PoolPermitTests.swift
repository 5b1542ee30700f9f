import NotificationModel
import Testing

@testable import TranscodePool

struct PoolPermitTests {
    private func permit(in scheduler: SharedScheduler) -> PoolPermit {
        PoolPermit(
            TranscodeFlow(group: .default, host: "a.example"), until: .now.advanced(by: .seconds(30)), in: scheduler,
            observer: { _ in })
    }

    @Test func `a permit reserves one place, until it is released`() throws {
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

    @Test func `a permit that was released before the download reserves no place`() throws {
        let permit = permit(in: SharedScheduler(size: 1))
        permit.release()
        try permit.acquire()
        #expect(permit.job == nil)
    }
}
