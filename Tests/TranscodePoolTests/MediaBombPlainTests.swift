import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of small files that would cost a careless decoder its memory or its time. scripts/make-bombs writes them.
@Suite(.timeLimit(.minutes(5)))
struct MediaBombPlainTests {
    private static let budget = Duration.seconds(5)
    /// The time beyond the budget that is accepted on a busy machine.
    private static let grace = Duration.milliseconds(200)

    /// The bombs that are recognized by their headers. These bombs would cost a decoder seconds, or all memory of a
    /// worker.
    private static let refusals: [String: DegradationReason] = [
        "png-data-beyond-the-picture.png": .corruptMedia,
        "tiff-million-strips.tif": .tooManyPixels, "tiff-tile-1gb.tif": .tooManyPixels,
        "tiff-million-tiles.tif": .corruptMedia, "tiff-fax-30000-square.tif": .tooManyPixels,
        "tiff-jpeg-65535-square.tif": .corruptMedia, "tiff-old-jpeg-65535-square.tif": .corruptMedia,
        "tiff-lzma-dictionary.tif": .corruptMedia,
        "heif-overlapping-extents.heic": .corruptMedia, "mp4-4-million-samples.mp4": .tooLarge,
        "mp4-4-billion-samples.mp4": .tooLarge, "mp4-million-edits.mp4": .tooLarge,
        "mp4-1000-edits-of-all-frames.mp4": .tooLarge, "mp4-compressed-header.mp4": .unsupportedMedia,
        "mp4-200000-names.mp4": .tooLarge, "mp4-4-million-boxes.mp4": .tooLarge,
        "mp4-fragment-of-200-million-samples.mp4": .tooLarge, "mp4-10240-square.mp4": .tooManyPixels,
        "mp4-16384-square.mp4": .tooManyPixels,
    ]

    @Test func `a job with a bomb ends within its budget and 256 MB, and its worker survives or is replaced`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let maker = Process()
        maker.executableURL = URL(filePath: Fixtures.project + "/scripts/make-bombs")
        maker.arguments = [directory.path]
        try maker.run()
        maker.waitUntilExit()
        try #require(maker.terminationStatus == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names.count >= 75)
        for name in names {
            // A new worker has no memory of earlier jobs in its heap. The image after the bomb shows that the pool
            // continues.
            try await withPool { pool in
                try await judge(name, in: directory.path, pool)
                _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            }
        }
    }

    private func judge(_ name: String, in directory: String, _ pool: TranscodePool) async throws {
        var work = try PoolWork(path: "\(directory)/\(name)")
        work.hasOutputsInMemory = true
        work.deadline = .now + Self.budget
        let sampling = Task { await Self.highestPeak(of: pool) }
        let start = MonotonicInstant.now
        let result = try await work.run(in: pool)
        let time = start.duration(to: .now)
        sampling.cancel()
        let peak = await sampling.value
        #expect(time <= Self.budget + Self.grace, "\(name)")
        #expect((1...256 << 20).contains(peak), "\(name)")
        if let reason = Self.refusals[name] { #expect(result.reason == reason, "\(name)") }
        switch result.reason {
        case nil, .corruptMedia, .unsupportedMedia, .tooManyPixels, .tooLarge, .budgetExceeded: break
        case let reason?: Issue.record("\(name): \(reason): \(result.failure?.detail ?? "")")
        }
        print(
            "bomb \(name): \(result.reason?.rawValue ?? "renditions"), \(Int(time.milliseconds)) ms, "
                + "peak \(peak >> 20) MB: \(result.failure?.detail ?? "")")
    }

    /// Returns the highest peak until the task is cancelled. The peak is read while the worker runs, because a worker
    /// that is killed at its deadline cannot be measured afterwards.
    private static func highestPeak(of pool: TranscodePool) async -> Int {
        var highest = 0
        while !Task.isCancelled {
            highest = max(highest, await peak(of: pool))
            try? await Task.sleep(for: .milliseconds(5))
        }
        return max(highest, await peak(of: pool))
    }

    private static func peak(of pool: TranscodePool) async -> Int {
        await pool.processIdentifiers.first.flatMap(ProcessMemory.peakBytes(of:)) ?? 0
    }
}
