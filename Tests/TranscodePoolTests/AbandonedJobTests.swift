import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// Jobs that nobody wants any more, and workers that die of something else than their job.
@Suite(.timeLimit(.minutes(2)))
struct AbandonedJobTests {
    /// Begins a job, and returns when it has written to something in the folder.
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

    @Test func `cancelling in the middle of a video kills its worker, and the next job runs on another`() async throws {
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

    @Test func `a job whose deadline is in five milliseconds exceeds its budget, and the pool goes on`() async throws {
        try await withPool { pool in
            var work = try PoolWork.slowVideo()
            work.deadline = .now + .milliseconds(5)
            #expect(try await work.run(in: pool).reason == .budgetExceeded)
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
        }
    }

    @Test func `at a deadline in the middle of a video its poster is shown, and the worker is killed`() async throws {
        try await withPool { pool in
            var video = try PoolWork.slowVideo()
            let directory = try TemporaryDirectory()
            video.outputDirectory = directory.path
            video.hasNamedOutputs = true
            video.deadline = .now + .seconds(9)
            let job = try await video.begin(in: pool)
            let worker = try await pool.onlyWorker
            // The video has its first bytes when its stills are reported.
            try await wait(for: "three files with bytes") {
                try FileSystem.names(in: directory.path).count { name in
                    try FileSystem.contents(of: "\(directory.path)/\(name)").isEmpty == false
                } == 3
            }
            // A worker that is stopped ends nothing, however fast the machine is.
            kill(worker, SIGSTOP)
            let made = try await job.value.get()
            #expect(made.renditions.map(\.info.kind) == [.attachment, .thumbnail, .poster])
            #expect(made.renditions.map(\.info.type) == [.jpeg, .jpeg, .jpeg])
            #expect(made.reduction?.kind == .still && made.sourceType == "video/mp4")
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(isGone(worker))
        }
    }

    @Test func `a deadline in the middle of a job kills its worker`() async throws {
        let fake = try FakeWorker([FakeWorker.stay])
        try await withPool(of: fake.path) { pool in
            var workers: [Int32] = []
            var time = Duration.milliseconds(150)
            // On a machine that is so busy that the deadline came before the worker there is more time the next time.
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

    @Test func `a job that gets no worker before its deadline is overload, and the worker goes on with its own`()
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

    @Test func `cancelling a job that waits leaves the worker to the one that has it`() async throws {
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

    @Test func `a job that is cancelled or too late before it begins costs no worker`() async throws {
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
    func `a fault of a busy worker costs its job, and the pool goes on`(_ signal: Int32) async throws {
        try await withPool { pool in
            let directory = try TemporaryDirectory()
            var work = try PoolWork.slowVideo()
            work.outputDirectory = directory.path
            work.hasNamedOutputs = true
            let busy = try await whenWriting(in: directory.path) { [work] in try await work.begin(in: pool) }
            let worker = try await pool.onlyWorker
            kill(worker, signal)
            let result = await busy.value
            // The stills may have been reported before the signal.
            let failure = result.failure ?? (try? result.get())?.reduction?.failure
            #expect(failure?.reason == .workerCrashed)
            let end = signal == SIGSYS ? ProcessEnd.violated(call: nil) : .signalled(signal)
            #expect(failure?.detail.hasSuffix("the worker ended while it processed this file, by \(end)") == true)
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(try await pool.onlyWorker != worker)
            #expect(isGone(worker))
        }
    }

    @Test func `a worker that ended at rest is replaced when the next job comes`() async throws {
        try await withPool { pool in
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            let worker = try await pool.onlyWorker
            kill(worker, SIGKILL)
            // Between the signal and the pool's notice a job may be given to the dead worker, and is tried again.
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(try await pool.onlyWorker != worker)
            #expect(isGone(worker))
        }
    }
}
