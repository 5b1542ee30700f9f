import Base
import BenchProcess
import Foundation
import ImageQuality
import LinuxIO
import NotificationModel
import TranscodePool

/// A run over all files, with as many lanes as the machine has processors.
struct CorpusRun {
    private let files: [CorpusFile]
    private let lane: LaneSettings
    private let report: String?
    private let mutations: MutationRun?

    init(_ command: MediaCorpus) throws {
        guard let profile = MediaProfile.named(command.profile) else { throw BenchFailure("unknown profile") }
        let beside = URL(filePath: try FileSystem.currentExecutable()).deletingLastPathComponent()
        lane = LaneSettings(
            worker: command.worker ?? beside.appending(path: "appgroupd-transcode").path(),
            python: URL(filePath: command.python).path(), script: command.oracle, profile: profile)
        guard FileSystem.isExecutable(lane.worker) else { throw BenchFailure("\(lane.worker) is missing: make build") }
        report = command.report
        files = try CorpusFile.all(below: command.directory, most: command.most)
        guard !files.isEmpty else { throw BenchFailure("\(command.directory) has no files") }
        mutations =
            command.mutations == 0
            ? nil
            : MutationRun(
                settings: lane, files: files, count: command.mutations, seed: command.seed,
                findings: command.findings)
    }

    func run() async throws -> CorpusSummary {
        let queue = CorpusQueue(files)
        let lane = lane
        let entries = try await withThrowingTaskGroup(of: [CorpusEntry].self) { group in
            for _ in 0..<min(files.count, ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask { try await CorpusLane.run(lane, over: queue) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let sorted = entries.sorted { $0.path < $1.path }
        if let report { try write(sorted, to: report) }
        let types = Dictionary(entries.map { ($0.path, $0.type) }) { first, _ in first }
        return CorpusSummary(sorted, mutations: try await mutations?.run(types))
    }

    private func write(_ entries: [CorpusEntry], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try entries.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try FileSystem.replace(path, with: Array(lines.joined().utf8))
    }
}

/// The queue of the files that no lane has taken yet.
final class CorpusQueue: Sendable {
    private let files: [CorpusFile]
    private let given = Guarded(0)

    init(_ files: [CorpusFile]) { self.files = files }

    /// Returns the next file; `nil` if no file is left.
    func next() -> CorpusFile? {
        let index = given.withLock { given in
            given += 1
            return given - 1
        }
        if index % 200 == 199 { Console.warn("\(index + 1) of \(files.count)") }
        return index < files.count ? files[index] : nil
    }
}
