import Base
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of jobs that are abandoned, and of workers that end for another reason than their job.
@Suite(.timeLimit(.minutes(2)))
struct AbandonedJobTests {
    /// Begins a job, and returns when the job has written to a file in the directory.
    private func whenWriting(
        in directory: String, _ begin: () async throws -> Task<TranscodeResult, Never>
    ) async throws -> Task<TranscodeResult, Never> {
        let events = try OwnedDescriptor.adopt(inotify_init1(Int32(IN_CLOEXEC)), from: "inotify_init1")
        try #require(inotify_add_watch(events.raw, directory, UInt32(IN_MODIFY)) >= 0)
        let loop = try EventLoop.start(name: "agd-test")
        defer { loop.shutdown() }
        let raw = events.raw
        let (news, tell) = AsyncStream.makeStream(of: Bool.self)
        let job = try await begin()
        loop.execute {
            loop.watch(raw, for: .readable) { _ in
                loop.unwatch(raw)
                tell.yield(true)
            }
        }
        Task {
            _ = await job.value
            tell.yield(false)
        }
        for await isWritten in news {
            if !isWritten { Issue.record("the job ended first: \(await job.value)") }
            break
        }
        return job
    }

    @Test func `a cancellation during a video kills the worker, and the next job runs on another worker`() async throws
    {
        try await withPool { pool in
            let directory = try TemporaryDirectory()
            var work = try PoolWork.slowVideo()
            work.outputDirectory = directory.path
            work.hasNamedOutputs = true
            let job = try await whenWriting(in: directory.path) { try await work.begin(in: pool) }
            let worker = try await pool.onlyWorker
            job.cancel()
            #expect(await job.value.reason == .cancelled)
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(try await pool.onlyWorker != worker)
            #expect(isGone(worker))
        }
    }

    @Test func `a job with a deadline in 5 milliseconds exceeds its budget, and the next job succeeds`() async throws {
        try await withPool { pool in
            var work = try PoolWork.slowVideo()
            work.deadline = .now + .milliseconds(5)
            #expect(try await work.run(in: pool).reason == .budgetExceeded)
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
        }
    }

    @Test func `a deadline during a video shows its poster and kills the worker`() async throws {
        try await withPool { pool in
            var video = try PoolWork.slowVideo()
            let directory = try TemporaryDirectory()
            video.outputDirectory = directory.path
            video.hasNamedOutputs = true
            video.deadline = .now + .seconds(9)
            let job = try await video.begin(in: pool)
            let worker = try await pool.onlyWorker
            // The video has its first bytes after its still images were reported.
            try await wait(for: "three files with bytes") {
                try FileSystem.names(in: directory.path).count { name in
                    try FileSystem.contents(of: "\(directory.path)/\(name)").isEmpty == false
                } == 3
            }
            // A stopped worker cannot finish, even on a fast machine.
            kill(worker, SIGSTOP)
            let made = try await job.value.get()
            #expect(made.renditions.map(\.info.kind) == [.attachment, .thumbnail, .poster])
            #expect(made.renditions.map(\.info.type) == [.jpeg, .jpeg, .jpeg])
            #expect(made.reduction?.kind == .still && made.sourceType == "video/mp4")
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(isGone(worker))
        }
    }

    @Test func `a deadline during a job kills its worker`() async throws {
        let fake = try FakeWorker([FakeWorker.stay])
        try await withPool(of: fake.path) { pool in
            var workers: [Int32] = []
            var time = Duration.milliseconds(150)
            // On a busy machine the deadline may come before the worker starts. The next attempt has more time.
            while workers.isEmpty {
                time = time * 2
                var work = try PoolWork("photo-small.jpg")
                work.deadline = .now + time
                let job = try await work.begin(in: pool)
                workers = await pool.processIdentifiers
                #expect(await job.value.reason == .budgetExceeded)
                #expect(MonotonicInstant.now >= work.deadline)
            }
            try fake.becomeReal()
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(workers.allSatisfy(isGone))
        }
    }

    @Test func `a job without a worker at its deadline fails as overloaded, and the busy worker keeps its job`()
        async throws
    {
        let fake = try FakeWorker([FakeWorker.stay])
        try await withPool(of: fake.path) { pool in
            let busy = try await PoolWork("photo-small.jpg").begin(in: pool)
            let worker = try await pool.onlyWorker
            var work = try PoolWork("photo-small.jpg")
            work.deadline = .now + .milliseconds(100)
            #expect(try await work.run(in: pool).reason == .overloaded)
            #expect(try await pool.onlyWorker == worker)
            busy.cancel()
            #expect(await busy.value.reason == .cancelled)
        }
    }

    @Test func `a cancelled waiting job does not stop the worker of another job`() async throws {
        let fake = try FakeWorker([FakeWorker.stay])
        try await withPool(of: fake.path) { pool in
            let busy = try await PoolWork("photo-small.jpg").begin(in: pool)
            let worker = try await pool.onlyWorker
            let waiting = try await PoolWork("photo-small.jpg").begin(in: pool)
            waiting.cancel()
            #expect(await waiting.value.reason == .cancelled)
            #expect(try await pool.onlyWorker == worker)
            busy.cancel()
            #expect(await busy.value.reason == .cancelled)
        }
    }

    @Test func `a job that is cancelled or late before it begins does not end a worker`() async throws {
        try await withPool { pool in
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            let worker = try await pool.onlyWorker
            let request = try PoolWork("photo-small.jpg").request()
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await pool.transcode(request)
            }
            #expect(await cancelled.value.reason == .cancelled)
            var late = try PoolWork("photo-small.jpg")
            late.deadline = .now
            #expect(try await late.run(in: pool).reason == .budgetExceeded)
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(try await pool.onlyWorker == worker)
        }
    }

    @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGSYS])
    func `a crash of a busy worker fails the job of this worker, and the next job succeeds`(_ signal: Int32)
        async throws
    {
        try await withPool { pool in
            let directory = try TemporaryDirectory()
            var work = try PoolWork.slowVideo()
            work.outputDirectory = directory.path
            work.hasNamedOutputs = true
            let busy = try await whenWriting(in: directory.path) { [work] in try await work.begin(in: pool) }
            let worker = try await pool.onlyWorker
            kill(worker, signal)
            let result = await busy.value
            // The still images may have been reported before the signal.
            let failure = result.failure ?? (try? result.get())?.reduction?.failure
            #expect(failure?.reason == .workerCrashed)
            let end = signal == SIGSYS ? ProcessEnd.violated(call: nil) : .signalled(signal)
            #expect(failure?.detail.hasSuffix("the worker ended while it processed this file, by \(end)") == true)
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(try await pool.onlyWorker != worker)
            #expect(isGone(worker))
        }
    }

    @Test func `an idle worker that ended is replaced when the next job arrives`() async throws {
        try await withPool { pool in
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            let worker = try await pool.onlyWorker
            kill(worker, SIGKILL)
            // A job may be sent to the dead worker before the pool notices its end. The job is then tried again.
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(try await pool.onlyWorker != worker)
            #expect(isGone(worker))
        }
    }
}
