import Base
import LinuxIO
import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of workers whose reports are well-formed and wrong. Both outputs are `photo-small.jpg`, 800 × 600 pixels.
@Suite(.timeLimit(.minutes(2)))
struct LyingWorkerTests {
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var about = "size"
        var contents = "photo-small.jpg"
        let tell: @Sendable (inout [RenditionReport]) -> Void
    }

    /// Returns reports that agree with both outputs, except that the thumbnail is too large.
    private static func reports(of bytes: Int) -> [RenditionReport] {
        [RenditionKind.attachment, .thumbnail].map { role in
            RenditionReport(role: role, format: .jpeg, width: 800, height: 600, bytes: UInt64(bytes))
        }
    }

    private static let lies = [
        Lie(testDescription: "a thumbnail larger than ordered") { _ in },
        Lie(testDescription: "a thumbnail that says it is small") { $0[1].shrink() },
        Lie(testDescription: "no width") { $0[0].width = 0 },
        Lie(testDescription: "a width past the ordered side") { $0[0].width = 1_025 },
        Lie(testDescription: "the greatest height there is") { $0[0].height = .max },
        Lie(testDescription: "a width that is not the file's") { $0[0].width = 801 },
        Lie(testDescription: "no frames") { $0[0].frames = 0 },
        Lie(testDescription: "a byte more than there are", about: "length") { $0[0].bytes += 1 },
        Lie(testDescription: "the greatest number of bytes", about: "length") { $0[0].bytes = .max },
        Lie(testDescription: "no bytes", about: "length", contents: "empty.jpg") { $0[0].bytes = 0 },
        Lie(testDescription: "a picture where there is a text", about: "type", contents: "not-a-picture.jpg") { _ in },
        Lie(testDescription: "a PNG where there is a JPEG", about: "type") { $0[0].format = .png },
        Lie(testDescription: "a video where there is a JPEG", about: "type") { $0[0].format = .mp4 },
        Lie(testDescription: "a video as the thumbnail", about: "role", contents: "orientation-1.jpg") {
            for index in $0.indices { ($0[index].width, $0[index].height) = (96, 64) }
            $0[1].format = .mp4
        },
        Lie(testDescription: "a preview with a quotation mark", about: "preview", contents: "orientation-1.jpg") {
            for index in $0.indices { ($0[index].width, $0[index].height) = (96, 64) }
            $0[0].blurhash = "L00000fQfQfQfQfQfQfQfQfQfQf\""
        },
        Lie(testDescription: "a preview that is too short", about: "preview", contents: "orientation-1.jpg") {
            for index in $0.indices { ($0[index].width, $0[index].height) = (96, 64) }
            $0[1].blurhash = "L00000"
        },
        Lie(testDescription: "a colour that is a word", about: "preview", contents: "orientation-1.jpg") {
            for index in $0.indices { ($0[index].width, $0[index].height) = (96, 64) }
            ($0[0].blurhash, $0[0].dominantColor) = ("00TSUA", "</html>")
        },
        Lie(testDescription: "a colour of no picture", about: "preview", contents: "orientation-1.jpg") {
            for index in $0.indices { ($0[index].width, $0[index].height) = (96, 64) }
            $0[0].dominantColor = "#7a8f3c"
        },
        Lie(testDescription: "damage where none may be shown", about: "damage", contents: "orientation-1.jpg") {
            for index in $0.indices { ($0[index].width, $0[index].height) = (96, 64) }
            $0[0].damage = SourceDamage(rows: 81)
        },
        Lie(testDescription: "the renditions in another order", about: "role") { $0.reverse() },
        Lie(testDescription: "one rendition too few", about: "number") { $0.removeLast() },
        Lie(testDescription: "one rendition too many", about: "number") { $0.append($0[1]) },
        Lie(testDescription: "none", about: "number") { $0.removeAll() },
    ]

    private func work(_ contents: String) throws -> PoolWork {
        var work = try PoolWork("photo-small.jpg")
        work.form.damaged = .refuse
        work.outputContents = try Fixtures.bytes("media/\(contents)")
        return work
    }

    @Test(arguments: lies)
    func `a report that does not agree with the files fails one job and ends the worker`(_ lie: Lie) async throws {
        let work = try work(lie.contents)
        var reports = Self.reports(of: work.outputContents.count)
        lie.tell(&reports)
        let fake = try FakeWorker(answering: TranscodeReply(id: 1, result: .success(reports)))
        try await withPool(of: fake.path) { pool in
            let failure = try await work.run(in: pool).failure
            #expect(failure?.reason == .workerCrashed)
            #expect(failure?.detail == "the report of the worker does not agree with its files: of \(lie.about)")
            #expect(try await PoolWork("orientation-1.jpg").run(in: pool).get().renditions.count == 2)
        }
    }

    /// Without this test, the wrong reports above might fail for another reason.
    @Test func `a report that agrees with the files is accepted`() async throws {
        let work = try work("orientation-1.jpg")
        var reports = Self.reports(of: work.outputContents.count)
        for index in reports.indices { (reports[index].width, reports[index].height) = (96, 64) }
        (reports[0].blurhash, reports[0].dominantColor) = ("00TSUA", "#7a8f3c")
        let fake = try FakeWorker(answering: TranscodeReply(id: 1, result: .success(reports)))
        try await withPool(of: fake.path) { pool in
            let set = try await work.run(in: pool).get()
            #expect(set.renditions.map(\.info.width) == [96, 96])
            #expect(set.renditions[0].info.preview == ImagePreview(blurhash: "00TSUA", dominantColor: "#7a8f3c"))
            #expect(set.renditions[1].info.preview == nil)
            #expect(set.renditions.map(\.info.byteCount) == [work.outputContents.count, work.outputContents.count])
        }
    }

    @Test func `stages that a worker reports as longer than their job are omitted from the trace`() async throws {
        let work = try work("orientation-1.jpg")
        var reports = Self.reports(of: work.outputContents.count)
        for index in reports.indices { (reports[index].width, reports[index].height) = (96, 64) }
        let stages = TranscodeStage.Name.allCases.map { TranscodeStage(name: $0, microseconds: .max) }
        let fake = try FakeWorker(answering: TranscodeReply(id: 1, result: .success(reports), stages: stages))
        try await withPool(of: fake.path) { pool in
            let start = MonotonicInstant.now
            _ = try await work.run(in: pool).get()
            let shown = work.trace.stages()
            #expect(shown.map(\.name) == [.inspect, .queue, .transcode])
            #expect(shown.reduce(.zero) { $0 + $1.duration } <= start.duration(to: .now))
        }
    }

    @Test(.enabled(if: FileSystem.isExecutable("/usr/bin/python3")))
    func `a worker cannot write to its input, and its sent descriptors are closed`() async throws {
        let fake = try FakeWorker(["exec /usr/bin/python3 -S $0.py"])
        let script = """
            import os, socket
            pool = socket.socket(fileno=3)
            _, files, _, _ = socket.recv_fds(pool, 4096, 16)
            try:
                os.pwrite(files[0], b"changed", 0)
                answer = b"written"
            except OSError:
                answer = open(os.path.dirname(os.path.abspath(__file__)) + "/worker.reply", "rb").read()
            socket.send_fds(pool, [answer], files[1:] * 8)
            pool.recv(1)
            """
        try FileSystem.replace(fake.path + ".py", with: Array(script.utf8))
        try FileSystem.replace(
            fake.path + ".reply",
            with: TranscodeWire.encode(TranscodeReply(id: 1, result: .failure(TranscodeFailure(.tooLarge, "kept")))))
        try await withPool(of: fake.path) { pool in
            var work = try PoolWork("photo-small.jpg")
            let directory = try TemporaryDirectory()
            work.source = try AnonymousFile.create(in: directory.path)
            let bytes = try Fixtures.bytes("media/photo-small.jpg")
            try FileSystem.write(bytes[...], to: work.source.descriptor)
            #expect(try await work.run(in: pool).failure == MediaFailure(.tooLarge, "kept", sourceType: "image/jpeg"))
            #expect(try FileSystem.bytes(of: work.source, at: 0, count: bytes.count + 1) == bytes)
        }
    }
}

extension RenditionReport {
    /// Reports a size within the thumbnail's side that is not the size of the file.
    fileprivate mutating func shrink() { (width, height) = (256, 192) }
}
