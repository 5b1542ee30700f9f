import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

#if !THREAD_SANITIZER
/// Small files that would cost a careless decoder its memory or its time, made by scripts/make-bombs.
@Suite(.timeLimit(.minutes(5)))
struct MediaBombTests {
    private static let budget = Duration.seconds(5)
    /// Beyond the budget, for a machine that is busy.
    private static let grace = Duration.milliseconds(500)

    @Test func `each bomb ends within its budget and 256 MB, and its worker goes on or is ended`() async throws {
        let directory = try TemporaryDirectory()
        let maker = Process()
        maker.executableURL = URL(filePath: Fixtures.project + "/scripts/make-bombs")
        maker.arguments = [directory.path]
        try maker.run()
        maker.waitUntilExit()
        try #require(maker.terminationStatus == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names.count >= 50)
        try await withPool { pool in
            for name in names { try await judge(name, in: directory.path, pool) }
        }
    }

    private func judge(_ name: String, in directory: String, _ pool: TranscodePool) async throws {
        var work = try PoolWork(path: "\(directory)/\(name)")
        work.hasOutputsInMemory = true
        work.deadline = .now + Self.budget
        let start = MonotonicInstant.now
        let result = try await work.run(in: pool)
        let time = start.duration(to: .now)
        let peak = await pool.processIdentifiers.first.flatMap(ProcessMemory.peakBytes(of:))
        #expect(time <= Self.budget + Self.grace, "\(name)")
        #expect(peak ?? 0 <= 256 << 20, "\(name)")
        switch result.reason {
        case nil, .corruptMedia, .unsupportedMedia, .tooManyPixels, .tooLarge, .budgetExceeded: break
        case let reason?: Issue.record("\(name): \(reason): \(result.failure?.detail ?? "")")
        }
        print(
            "bomb \(name): \(result.reason?.rawValue ?? "renditions"), \(Int(time.milliseconds)) ms, "
                + "peak \((peak ?? 0) >> 20) MB: \(result.failure?.detail ?? "")")
    }
}
#endif
