import Base
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of hosts whose files crashed three workers. Media of such a host are not downloaded for the app group
/// whose requests named these files.
@Suite(.timeLimit(.minutes(1)))
struct MediaCooldownTests {
    private static func reservation(
        of host: String, for group: AppGroupName, in pool: TranscodePool
    ) -> any TranscodeReservation {
        pool.reservation(for: TranscodeFlow(group: group, host: host), until: .now + .seconds(60))
    }

    @Test func `a host is blocked only in one app group, after three of its files crashed workers`() async throws {
        let worker = try FakeWorker(everyTime: [FakeWorker.takeJob, "kill -SEGV $$"])
        let other = try #require(AppGroupName("group.other"))
        let events = Record<PoolEvent>()
        try await withPool(of: worker.path, observing: events) { pool in
            for fixture in ["photo-small.jpg", "orientation-1.jpg", "orientation-6.jpg"] {
                let reservation = Self.reservation(of: "a.example", for: .default, in: pool)
                try reservation.reserve()
                var request = try PoolWork(fixture).request()
                request.reservation = reservation
                #expect(await pool.transcode(request).reason == .workerCrashed)
                reservation.release()
            }
            let failure = #expect(throws: MediaFailure.self) {
                try Self.reservation(of: "a.example", for: .default, in: pool).reserve()
            }
            #expect(failure?.reason == .workerCrashed)
            #expect(
                failure?.detail
                    == "not tried: three files of a.example crashed workers, and its media are tried again in 5 min")
            try Self.reservation(of: "a.example", for: other, in: pool).reserve()
            try Self.reservation(of: "b.example", for: .default, in: pool).reserve()
        }
        let rested = events.elements.compactMap { event in
            if case .crashed(_, host: "a.example", group: .default, let hostResting) = event {
                hostResting
            } else {
                nil
            }
        }
        #expect(rested == [false, false, true])
        #expect(events.elements.filter { $0 == .rested }.count == 1)
    }

    @Test func `a waiting job is not tried after its file crashed another worker`() async throws {
        let worker = try FakeWorker(everyTime: [FakeWorker.takeJob, "kill -SEGV $$"])
        let events = Record<PoolEvent>()
        try await withPool(of: worker.path, observing: events) { pool in
            let reasons = try await withThrowingTaskGroup(of: DegradationReason?.self) { group in
                for _ in 0..<30 {
                    let request = try PoolWork("photo-small.jpg").request()
                    group.addTask { await pool.transcode(request).reason }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(reasons.count == 30 && reasons.allSatisfy { $0 == .workerCrashed })
        }
        let crashes = events.elements.filter { if case .crashed = $0 { true } else { false } }.count
        let rested = events.elements.filter { $0 == .rested }.count
        #expect((1...8).contains(crashes) && rested == 30 - crashes)
    }
}
