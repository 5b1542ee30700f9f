import Base
import LinuxIO
import MediaHeaders
import NotificationModel
import Testing

@testable import TranscodePool

/// The tests of the pool with real workers.
///
/// `withPool` creates a pool for each test and shuts it down afterwards. `PoolWork` makes the request from a fixture,
/// the form of a profile, a deadline and files for the outputs. The worker is the built `appgroupd-transcode` in its
/// sandbox (`RealWorker`). Other suites replace it by a script (`FakeWorker`).
///
/// The result is the renditions, which the tests read, or a failure with its reason. A file that is no media is refused
/// before any worker starts. The pool runs on its own thread. A test cancels a job by cancelling the task that waits
/// for it, and a shutdown cancels all jobs. The time limit of the suite ends a test that hangs.
@Suite(.timeLimit(.minutes(2)))
struct TranscodePoolTests {
    private func jpegHeader(of file: MediaFile) throws -> JPEGHeader {
        let bytes = try FileSystem.bytes(of: file, at: 0, count: FileSystem.size(of: file))
        return try JPEGHeader(bytes.span)
    }

    private func signature(of file: MediaFile) throws -> MediaFormat? {
        let bytes = try FileSystem.bytes(of: file, at: 0, count: MediaSignature.wantedBytes)
        return MediaSignature.of(bytes.span)
    }

    @Test func `a photograph is transcoded to an attachment and a thumbnail of the right sizes`() async throws {
        try await withPool { pool in
            let set = try await PoolWork("photo-12mp.jpg").run(in: pool).get()
            #expect(set.sourceType == "image/jpeg")
            #expect(set.renditions.map(\.info.kind) == [.attachment, .thumbnail])
            // The image has 4000 × 3000 pixels, and is shown after a quarter turn.
            #expect(set.renditions.map(\.info.width) == [768, 192])
            #expect(set.renditions.map(\.info.height) == [1_024, 256])
            for rendition in set.renditions {
                let header = try jpegHeader(of: rendition.file)
                let size = try FileSystem.size(of: rendition.file)
                #expect(rendition.info.type == .jpeg && rendition.info.byteCount == size)
                #expect(header.width == rendition.info.width && header.height == rendition.info.height)
                #expect(header.isComplete && !header.hasMetadata)
            }
        }
    }

    @Test func `a video is transcoded to a video, a thumbnail and a poster`() async throws {
        try await withPool { pool in
            let set = try await PoolWork("video-silent.mp4").run(in: pool).get()
            #expect(set.sourceType == "video/mp4")
            #expect(set.renditions.map(\.info.kind) == [.attachment, .thumbnail, .poster])
            #expect(set.renditions.map(\.info.type) == [.mp4, .jpeg, .jpeg])
            #expect(set.renditions[0].info.duration.map { $0 > .zero } == true)
            #expect(try signature(of: set.renditions[0].file) == .mp4)
        }
    }

    @Test(arguments: [("palette.png", "image/png"), ("picture.webp", "image/webp"), ("animation.gif", "image/gif")])
    func `the source type is found from the bytes of the file`(_ name: String, _ type: String) async throws {
        try await withPool { pool in
            let set = try await PoolWork(name).run(in: pool).get()
            #expect(set.sourceType == type)
        }
    }

    @Test func `a pool starts its worker with the first job, and the same worker runs the next jobs`() async throws {
        try await withPool(size: 4) { pool in
            #expect(await pool.processIdentifiers == [])
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            let worker = try await pool.onlyWorker
            for name in ["palette.png", "empty.jpg", "truncated.jpg", "still.gif"] {
                _ = try await PoolWork(name).run(in: pool)
            }
            #expect(try await pool.onlyWorker == worker)
        }
    }

    @Test func `two workers finish eight concurrent jobs`() async throws {
        try await withPool(size: 2) { pool in
            let widths = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<8 {
                    let request = try PoolWork("orientation-\(index + 1).jpg").request()
                    group.addTask { try await pool.transcode(request).get().renditions[0].info.width }
                }
                var widths: [Int] = []
                for try await width in group {
                    widths.append(width)
                    // On a slow machine, both jobs may take more than a second.
                    let workers = await pool.processIdentifiers.count
                    #expect(workers <= 3)
                }
                return widths
            }
            #expect(widths == Array(repeating: 96, count: 8))
            #expect(await pool.processIdentifiers.count >= 2)
        }
    }

    @Test func `a second worker transcodes an image that waits for a long job`() async throws {
        let worker = try FakeWorker([FakeWorker.takeJob, FakeWorker.stay])
        try await withPool(of: worker.path) { pool in
            let long = try await PoolWork("photo-small.jpg").begin(in: pool)
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            #expect(await pool.processIdentifiers.count == 2)
            long.cancel()
            #expect(await long.value.reason == .cancelled)
        }
    }

    @Test func `a job has the stages of the pool and the worker, and their sum fits the job's time`()
        async throws
    {
        try await withPool { pool in
            let start = MonotonicInstant.now
            let work = try PoolWork("photo-12mp.jpg")
            _ = try await work.run(in: pool).get()
            let stages = work.trace.stages()
            #expect(stages.map(\.name).starts(with: [.inspect, .queue]))
            #expect([.decode, .scale, .encode].allSatisfy { stages.map(\.name).contains($0) })
            #expect(stages.reduce(.zero) { $0 + $1.duration } <= start.duration(to: .now))
        }
    }

    @Test func `a shutdown ends jobs and workers`() async throws {
        let pool = try TranscodePool(executable: RealWorker.path, size: 1)
        let busy = try await PoolWork.slowVideo().begin(in: pool)
        let waiting = try await PoolWork.slowVideo().begin(in: pool)
        let worker = try await pool.onlyWorker
        await pool.shutdown()
        #expect(await busy.value.reason == .cancelled)
        #expect(await waiting.value.reason == .cancelled)
        #expect(isGone(worker))
    }

    // MARK: Refusals

    @Test(
        arguments: [
            ("ffconcat.mp4", .unsupportedMedia, nil), ("hls.mp4", .unsupportedMedia, nil),
            ("not-a-picture.jpg", .unsupportedMedia, "text/html"), ("empty.jpg", .corruptMedia, nil),
            ("truncated.jpg", .corruptMedia, "image/jpeg"),
        ] as [(String, DegradationReason, String?)])
    func `a file that is not media is refused with its detected type, and the next job succeeds`(
        _ name: String, _ reason: DegradationReason, _ type: String?
    ) async throws {
        try await withPool { pool in
            let failure = try await PoolWork(name).run(in: pool).failure
            #expect(failure?.reason == reason)
            #expect(failure?.detail.isEmpty == false)
            #expect(failure?.sourceType == type)
            let workers = await pool.processIdentifiers.count
            let isSeen = name == "truncated.jpg"
            #expect(workers == (isSeen ? 1 : 0), "only files with a media signature reach a worker")
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
        }
    }

    @Test func `a job fails with an explanation and a remedy if the executable is missing`() async throws {
        try await withPool(of: "/nowhere/appgroupd-transcode", size: 2) { pool in
            var jobs: [Task<TranscodeResult, Never>] = []
            for _ in 0..<3 { jobs.append(try await PoolWork("photo-small.jpg").begin(in: pool)) }
            for job in jobs {
                let failure = await job.value.failure
                #expect(failure?.reason == .workerCrashed)
                #expect(failure?.detail.contains("/nowhere/appgroupd-transcode cannot be started") == true)
            }
            #expect(await pool.processIdentifiers == [])
        }
    }

    @Test func `a job fails with storage-failed if an output cannot be created`() async throws {
        try await withPool { pool in
            var work = try PoolWork("photo-small.jpg")
            work.outputDirectory = "/nowhere"
            #expect(try await work.run(in: pool).reason == .storageFailed)
        }
    }
}
