import Base
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of workers that fail after they have reported the still images of a video. All outputs of the fake workers
/// hold the bytes of `orientation-1.jpg`, 96 × 64 pixels.
@Suite(.timeLimit(.minutes(2)))
struct FailedVideoTests {
    private static let crash = "the worker ended while it processed this file"
    private static let sendSecond = #"/bin/cat "$0.second" >&3"#

    private func work() throws -> PoolWork {
        var work = try PoolWork.slowVideo()
        work.outputContents = try Fixtures.bytes("media/orientation-1.jpg")
        return work
    }

    /// Returns a worker that reports the still images and then runs the script lines.
    private func fake(
        _ lines: [String], second: TranscodeReply? = nil, width: UInt32 = 96
    ) throws -> FakeWorker {
        let reports = [RenditionKind.thumbnail, .poster].map { role in
            RenditionReport(
                role: role, format: .jpeg, width: width, height: 64,
                bytes: UInt64((try? Fixtures.bytes("media/orientation-1.jpg").count) ?? 0))
        }
        let interim = TranscodeReply(id: 1, isInterim: true, result: .success(reports))
        let fake = try FakeWorker(
            [FakeWorker.takeJob, FakeWorker.reply] + lines, reply: TranscodeWire.encode(interim))
        if let second { try FileSystem.replace(fake.path + ".second", with: TranscodeWire.encode(second)) }
        return fake
    }

    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        var detail = ""
    }

    private static let endings = [
        Ending(testDescription: "a fault", lines: ["kill -SEGV $$"], detail: ", by SIGSEGV"),
        Ending(
            testDescription: "a forbidden call",
            // The message is a violation of x86_64 (3E 00 00 C0) by openat (257). The exit status is that of a
            // violation.
            lines: [#"printf '\377\076\000\000\300\001\001\000\000' >&3; exit 159"#],
            detail: ", by the forbidden call openat"),
        Ending(testDescription: "garbage", lines: ["printf garbage >&3", FakeWorker.stay]),
        Ending(testDescription: "a second report of stills", lines: [FakeWorker.reply, FakeWorker.stay]),
    ]

    @Test(arguments: endings)
    func `the still images are shown if their worker crashes later, and the file is blocked`(_ ending: Ending)
        async throws
    {
        let events = Record<PoolEvent>()
        let fake = try fake(ending.lines)
        try await withPool(of: fake.path, observing: events) { pool in
            let made = try await work().run(in: pool).get()
            #expect(made.renditions.map(\.info.kind) == [.attachment, .thumbnail, .poster])
            #expect(made.renditions.map(\.info.width) == [96, 96, 96] && made.sourceType == "video/mp4")
            let detail = "there is only a still of the video: \(Self.crash)\(ending.detail)"
            #expect(made.reduction == MediaReduction(.still, detail, because: .workerCrashed))
            #expect(
                try await work().run(in: pool).failure?.detail
                    == "not tried: this file crashed a worker, and is tried again in 60 min")
        }
        #expect(events.elements.count { if case .crashed = $0 { true } else { false } } == 1)
    }

    @Test func `the still images are shown if their worker fails later, and the file is not blocked`() async throws {
        let refusal = TranscodeReply(id: 1, result: .failure(TranscodeFailure(.corrupt, "a frame is damaged")))
        let fake = try fake([Self.sendSecond, FakeWorker.stay], second: refusal)
        try await withPool(of: fake.path) { pool in
            let made = try await work().run(in: pool).get()
            #expect(made.renditions.map(\.info.kind) == [.attachment, .thumbnail, .poster])
            let detail = "there is only a still of the video: a frame is damaged"
            #expect(made.reduction == MediaReduction(.still, detail, because: .corruptMedia))
            let worker = try await pool.onlyWorker
            #expect(worker > 0)
        }
    }

    @Test(arguments: [["kill -SEGV $$"], [sendSecond, FakeWorker.stay]])
    func `a still image that differs from the worker's report is not shown, and the file is blocked`(
        _ lines: [String]
    ) async throws {
        let refusal = TranscodeReply(id: 1, result: .failure(TranscodeFailure(.corrupt, "a frame is damaged")))
        let fake = try fake(lines, second: refusal, width: 97)
        try await withPool(of: fake.path) { pool in
            let failure = try await work().run(in: pool).failure
            #expect(failure?.reason == .workerCrashed)
            #expect(failure?.detail == "the report of the worker does not agree with its files: of size")
            #expect(try await work().run(in: pool).failure?.detail.hasPrefix("not tried") == true)
        }
    }

    @Test func `no rendition is shown if the worker reports an invalid video`() async throws {
        let lie = TranscodeReply(id: 1, result: .success([]))
        let fake = try fake([Self.sendSecond, FakeWorker.stay], second: lie)
        try await withPool(of: fake.path) { pool in
            let failure = try await work().run(in: pool).failure
            #expect(failure?.detail == "the report of the worker does not agree with its files: of number")
        }
    }

    @Test func `a video whose worker exits after its still images is transcoded by another worker`() async throws {
        let fake = try fake(["exit 3"])
        try await withPool(of: fake.path) { pool in
            let made = try await PoolWork.slowVideo().run(in: pool).get()
            #expect(made.renditions.map(\.info.type) == [.mp4, .jpeg, .jpeg] && made.reduction == nil)
        }
    }

    @Test func `a video that fits no cap is shown as its poster`() async throws {
        try await withPool { pool in
            var work = try PoolWork.slowVideo()
            work.form.videoBytes = 1_000
            let made = try await work.run(in: pool).get()
            #expect(made.renditions.map(\.info.type) == [.jpeg, .jpeg, .jpeg])
            #expect(made.reduction?.kind == .still && made.reduction?.reason == .tooLarge)
            let worker = try await pool.onlyWorker
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(try await pool.onlyWorker == worker)
        }
    }

    @Test func `the poster of a video is shown after a real worker has crashed during the video`() async throws {
        try await withPool { pool in
            var work = try PoolWork.slowVideo()
            let directory = try TemporaryDirectory()
            work.outputDirectory = directory.path
            work.hasNamedOutputs = true
            let job = try await work.begin(in: pool)
            let worker = try await pool.onlyWorker
            // The video has its first bytes after its still images were reported.
            try await wait(for: "three files with bytes") {
                try FileSystem.names(in: directory.path).count { name in
                    try FileSystem.contents(of: "\(directory.path)/\(name)").isEmpty == false
                } == 3
            }
            kill(worker, SIGSEGV)
            let made = try await job.value.get()
            #expect(made.renditions.map(\.info.type) == [.jpeg, .jpeg, .jpeg])
            #expect(made.reduction?.reason == .workerCrashed)
        }
    }
}
