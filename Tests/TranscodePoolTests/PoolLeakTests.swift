import Base
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of leaks. Each test counts in a separate process, in which no other test opens or starts anything.
@Suite(.timeLimit(.minutes(3)))
struct PoolLeakTests {
    /// Returns the census and the number of the pool's own threads. The threads of the runtime start and end
    /// independently.
    private static func census() throws -> (LeakCensus, loops: Int) {
        var census = LeakCensus.take()
        census.threads = 0
        let threads = try FileSystem.names(in: "/proc/self/task").filter {
            (try? FileSystem.contents(of: "/proc/self/task/\($0)/comm")) == Array("agd-transcode\n".utf8)
        }
        return (census, threads.count)
    }

    /// Returns the census of a pool with one idle worker, which has replaced all workers that were killed before.
    private static func settled(_ pool: TranscodePool) async throws -> (LeakCensus, loops: Int) {
        _ = try await PoolWork("orientation-1.jpg").run(in: pool).get()
        var (census, loops) = try census()
        #expect(census.children == [Int(try await pool.onlyWorker)])
        census.children = []
        return (census, loops)
    }

    @Test func `a pool leaks no resources after a hundred cancelled jobs`() async {
        await #expect(processExitsWith: .success) {
            let pool = try TranscodePool(executable: RealWorker.path, size: 1)
            let before = try await Self.settled(pool)
            for number in 0..<100 {
                let job = try await (number.isMultiple(of: 2) ? PoolWork.slowVideo() : PoolWork("photo-12mp.jpg"))
                    .begin(in: pool)
                let waiting = try await PoolWork("photo-12mp.jpg").begin(in: pool)
                waiting.cancel()
                job.cancel()
                // The job may end before its cancellation.
                try #require([.cancelled, nil].contains(await job.value.reason))
                try #require(await waiting.value.reason == .cancelled)
            }
            let after = try await Self.settled(pool)
            #expect(after == before)
            await pool.shutdown()
        }
    }

    @Test func `a pool leaks no resources after jobs that crashed, hung, sent wrong reports or had no worker`() async {
        await #expect(processExitsWith: .success) {
            let pool = try TranscodePool(executable: RealWorker.path, size: 1)
            let before = try await Self.settled(pool)
            for lines in [
                ["exit 0"], [FakeWorker.takeJob, "printf garbage >&3", FakeWorker.stay],
                ["exec 3>&-", FakeWorker.stay], [FakeWorker.stay], nil,
            ] {
                let fake = try lines.map { try FakeWorker(everyTime: $0) }
                let other = try TranscodePool(executable: fake?.path ?? "/nowhere", size: 1)
                var work = try PoolWork("photo-small.jpg")
                work.deadline = .now + .milliseconds(200)
                let reason = try await work.run(in: other).reason
                #expect([.workerCrashed, .budgetExceeded, .overloaded].contains(reason))
                await other.shutdown()
            }
            let after = try await Self.settled(pool)
            #expect(after == before)
            await pool.shutdown()
        }
    }

    @Test func `a pool that is shut down leaves no descriptor, thread or child`() async {
        await #expect(processExitsWith: .success) {
            let pools = { (count: Int) in
                for _ in 0..<count {
                    let pool = try TranscodePool(executable: RealWorker.path, size: 2)
                    let busy = try await PoolWork.slowVideo().begin(in: pool)
                    _ = try await PoolWork("orientation-1.jpg").run(in: pool).get()
                    let workers = await pool.processIdentifiers
                    try #require(workers.count == 2)
                    await pool.shutdown()
                    #expect(await busy.value.reason == .cancelled)
                    #expect(workers.allSatisfy(isGone))
                }
            }
            try await pools(1)
            let before = try Self.census().0
            try await pools(10)
            let after = try Self.census().0
            #expect(after == before)
            #expect(after.children == [])
        }
    }
}
