import Base
import Glibc
import LinuxIO
import NotificationModel
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of workers that an attacker has taken over, or that are broken. Each worker fails only one job.
@Suite(.timeLimit(.minutes(2)))
struct HostileWorkerTests {
    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        var reply: [UInt8] = []
        /// The description of the worker's end in the verdict; empty if the pool kills the worker.
        var ending = ""
    }

    private static let refusal = TranscodeReply(id: 1, result: .failure(TranscodeFailure(.corrupt, "no")))

    private static let scripts = [
        Script(
            testDescription: "kills itself", lines: [FakeWorker.takeJob, "kill -SEGV $$"], ending: ", by SIGSEGV"),
        Script(
            testDescription: "makes a call that is forbidden", lines: [FakeWorker.takeJob, "kill -SYS $$"],
            ending: ", by SIGSYS"),
        Script(
            testDescription: "has used all of its processor time", lines: [FakeWorker.takeJob, "kill -XCPU $$"],
            ending: ", by SIGXCPU"),
        Script(
            testDescription: "reports a forbidden call",
            // The message is a violation of x86_64 (3E 00 00 C0) by openat (257). The exit status is that of a
            // violation.
            lines: [FakeWorker.takeJob, #"printf '\377\076\000\000\300\001\001\000\000' >&3; exit 159"#],
            ending: ", by the forbidden call openat"),
        Script(
            testDescription: "makes a forbidden call and cannot report it",
            lines: [FakeWorker.takeJob, "exec 3>&-", "exit 159"], ending: ", by the forbidden call of an unknown name"),
        Script(testDescription: "answers garbage", lines: [FakeWorker.takeJob, "printf garbage >&3", FakeWorker.stay]),
        Script(testDescription: "speaks before it is asked", lines: ["printf hello >&3", FakeWorker.stay]),
        Script(
            testDescription: "answers more than a message takes",
            lines: [FakeWorker.takeJob, FakeWorker.reply, FakeWorker.stay],
            reply: [UInt8](repeating: 1, count: TranscodeWire.maxBytes + 1)),
        Script(
            testDescription: "answers with a cut message",
            lines: [FakeWorker.takeJob, FakeWorker.reply, FakeWorker.stay],
            reply: TranscodeWire.encode(refusal).dropLast()),
        Script(
            testDescription: "answers another's job", lines: [FakeWorker.takeJob, FakeWorker.reply, FakeWorker.stay],
            reply: TranscodeWire.encode(TranscodeReply(id: 2, result: refusal.result))),
        Script(
            testDescription: "reports stills of a picture before its answer",
            lines: [FakeWorker.takeJob, FakeWorker.reply, FakeWorker.stay],
            reply: TranscodeWire.encode(TranscodeReply(id: 1, isInterim: true, result: .success([])))),
    ]

    /// The scripts of workers whose end is not blamed on the job.
    private static let endings = [
        Script(testDescription: "ends at once", lines: ["exit 0"]),
        Script(testDescription: "ends with an error", lines: ["exit 3"]),
        Script(testDescription: "takes the job and ends", lines: [FakeWorker.takeJob, "exit 0"]),
        Script(testDescription: "is killed", lines: [FakeWorker.takeJob, "kill -KILL $$"]),
        Script(testDescription: "cannot be run any further", lines: ["exec /nowhere"]),
        Script(testDescription: "closes its socket and stays", lines: ["exec 3>&-", FakeWorker.stay]),
        Script(
            testDescription: "takes the job, closes its socket and stays",
            lines: [FakeWorker.takeJob, "exec 3>&-", FakeWorker.stay]),
    ]

    @Test(arguments: endings)
    func `a job whose worker ends without a crash is transcoded by another worker`(_ script: Script) async throws {
        let fake = try FakeWorker(script.lines)
        let events = Record<PoolEvent>()
        try await withPool(of: fake.path, observing: events) { pool in
            let made = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(made.renditions.count == 2)
        }
        let ends = events.elements.filter { if case .workerEnded(_, _, atJob: true) = $0 { true } else { false } }
        #expect(ends.count == 1 && events.elements.contains(.retried))
    }

    @Test func `a worker that keeps its outputs open cannot change them after they were checked`() async throws {
        try await withPool { pool in
            var work = try PoolWork("photo-small.jpg")
            work.hasOutputsInMemory = true
            for rendition in try await work.run(in: pool).get().renditions {
                // The test's descriptor has the same rights as the descriptor of the worker.
                #expect(pwrite(rendition.file.descriptor, "x", 1, 0) == -1 && errno == EPERM)
                #expect(ftruncate(rendition.file.descriptor, 1) == -1 && errno == EPERM)
            }
        }
    }

    @Test(.enabled(if: FileSystem.isDirectory("/dev/shm")))
    func `a rendition on a memory file system without seals is accepted`() async throws {
        try await withPool { pool in
            var work = try PoolWork("photo-small.jpg")
            work.outputDirectory = "/dev/shm"
            #expect(try await work.run(in: pool).get().renditions.count == 2)
        }
    }

    @Test func `a job fails if its second worker also ends, and its verdict states how the worker ended`() async throws
    {
        let fake = try FakeWorker(everyTime: [FakeWorker.takeJob, "exit 3"])
        let events = Record<PoolEvent>()
        try await withPool(of: fake.path, observing: events) { pool in
            let failure = try await PoolWork("photo-small.jpg").run(in: pool).failure
            #expect(failure?.reason == .workerCrashed)
            #expect(failure?.detail == "the worker ended while it processed this file, by status 3")
        }
        #expect(events.elements.filter { $0 == .workerStarted }.count == 2)
    }

    @Test(arguments: scripts)
    func `a worker that misbehaves fails one job, and the next job runs on a real worker`(_ script: Script) async throws
    {
        let fake = try FakeWorker(script.lines, reply: script.reply)
        try await withPool(of: fake.path) { pool in
            let job = try await PoolWork("photo-small.jpg").run(in: pool)
            #expect(job.failure?.reason == .workerCrashed)
            #expect(job.failure?.detail == "the worker ended while it processed this file\(script.ending)")
            #expect(try await PoolWork("orientation-1.jpg").run(in: pool).get().renditions.count == 2)
            let again = try await PoolWork("photo-small.jpg").run(in: pool)
            #expect(
                again.failure?.detail == "not tried: this file crashed a worker, and is tried again in 60 min")
        }
    }

    @Test(arguments: [[FakeWorker.stay], [FakeWorker.takeJob, FakeWorker.stay]])
    func `a worker that hangs fails one job at its deadline`(_ lines: [String]) async throws {
        let fake = try FakeWorker(lines)
        try await withPool(of: fake.path) { pool in
            var work = try PoolWork("photo-small.jpg")
            work.deadline = .now + .milliseconds(200)
            #expect(try await work.run(in: pool).reason == .budgetExceeded)
            try fake.becomeReal()
            #expect(try await PoolWork("photo-small.jpg").run(in: pool).get().renditions.count == 2)
        }
    }

    @Test func `a worker that replies twice gets no other job, and its second reply is ignored`() async throws {
        let fake = try FakeWorker(
            [FakeWorker.takeJob, FakeWorker.reply, FakeWorker.reply, FakeWorker.stay],
            reply: TranscodeWire.encode(Self.refusal))
        try await withPool(of: fake.path) { pool in
            let first = try await PoolWork("photo-small.jpg").run(in: pool)
            #expect(first.failure == MediaFailure(.corruptMedia, "no", sourceType: "image/jpeg"))
            // The second reply may come while the second job is at this worker, and then fails that job.
            let second = try await PoolWork("photo-small.jpg").run(in: pool)
            #expect(second.reason == nil || second.reason == .workerCrashed)
            #expect(try await PoolWork("orientation-1.jpg").run(in: pool).get().renditions.count == 2)
        }
    }

    @Test func `no job fails and no file is blocked if a worker crashes at its second job`() async throws {
        let fake = try FakeWorker(
            [FakeWorker.takeJob, FakeWorker.reply, FakeWorker.takeJob, "kill -SEGV $$"],
            reply: TranscodeWire.encode(Self.refusal))
        let events = Record<PoolEvent>()
        try await withPool(of: fake.path, observing: events) { pool in
            let refused = try await PoolWork("orientation-1.jpg").run(in: pool)
            #expect(refused.reason == .corruptMedia)
            #expect(try await PoolWork("photo-small.jpg").run(in: pool).get().renditions.count == 2)
        }
        #expect(events.elements.filter { $0 == .retried }.count == 1)
        #expect(!events.elements.contains { if case .crashed = $0 { true } else { false } })
    }

    @Test(
        arguments: [
            (.unsupported, .unsupportedMedia), (.corrupt, .corruptMedia), (.tooManyPixels, .tooManyPixels),
            (.tooLarge, .tooLarge), (.storage, .storageFailed), (.internalFault, .internal),
        ] as [(TranscodeFailureCode, DegradationReason)])
    func `a job that its worker refuses fails with the worker's reason`(
        _ code: TranscodeFailureCode, _ reason: DegradationReason
    )
        async throws
    {
        let fake = try FakeWorker(answering: TranscodeReply(id: 1, result: .failure(TranscodeFailure(code, "why"))))
        try await withPool(of: fake.path) { pool in
            let job = try await PoolWork("photo-small.jpg").run(in: pool)
            #expect(job.failure == MediaFailure(reason, "why", sourceType: "image/jpeg"))
        }
    }
}
