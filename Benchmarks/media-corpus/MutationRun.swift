import Base
import BenchProcess
import Foundation
import LinuxIO
import NotificationModel
import TranscodePool

/// A run of damaged files through the workers. Each job must end within its time and memory, with renditions or with
/// the reason of a refusal. If the oracle decodes an image in the damaged file, and the worker reports no damage, the
/// renditions must look the same.
struct MutationRun: Sendable {
    /// The time budget of each job.
    static let budget = Duration.seconds(5)
    /// The additional time after the budget, for a machine that is busy.
    private static let grace = Duration.milliseconds(250)
    private static let maxPeakKilobytes = 256 << 10
    /// The size of the largest file that is damaged, in bytes. In a larger file, the damage is rarely in a header.
    private static let maxBytes = 4 << 20

    let settings: LaneSettings
    let files: [CorpusFile]
    /// The number of damaged copies of each type.
    let count: Int
    let seed: Int
    /// A directory for the damaged files whose renditions are wrong; `nil` if no damaged files are kept.
    let findings: String?

    /// - Parameter types: The MIME types of the files, by their names.
    func run(_ types: [String: String]) async throws -> MutationSummary {
        let small = files.filter { (1...Self.maxBytes).contains($0.byteCount) }
        guard !small.isEmpty else { throw BenchFailure("no file is small enough to be damaged") }
        let groups = Dictionary(grouping: small) { types[$0.name] ?? "unknown" }.sorted { $0.key < $1.key }
        let all = count * groups.count
        let lanes = min(all, ProcessInfo.processInfo.activeProcessorCount)
        return try await withThrowingTaskGroup(of: MutationSummary.self) { group in
            for lane in 0..<lanes {
                group.addTask { try await damage(stride(from: lane, to: all, by: lanes), groups) }
            }
            return try await group.reduce(into: MutationSummary()) { $0.add($1) }
        }
    }

    private func damage(
        _ numbers: some Sequence<Int>, _ groups: [(key: String, value: [CorpusFile])]
    ) async throws -> MutationSummary {
        let oracle = try OracleProcess(python: settings.python, script: settings.script)
        let ends = Guarded<[String]>([])
        let pool = try TranscodePool(
            executable: settings.worker, size: 1,
            observer: { event in
                if case .workerEnded(let end, _, _) = event { ends.withLock { $0.append("\(end)") } }
            })
        var summary = MutationSummary()
        for number in numbers {
            var mutation = MediaMutation(number: number, seed: seed)
            let (type, files) = groups[number % groups.count]
            let file = files[mutation.below(files.count)]
            guard let whole = file.open(), var bytes = try? FileSystem.bytes(of: whole, at: 0, count: file.byteCount)
            else { continue }
            let kinds = mutation.apply(to: &bytes)
            let name = "mutation \(number) of \(file.name) (\(kinds))"
            let source = try AnonymousFile.createInMemory()
            try FileSystem.write(bytes[...], to: source.descriptor)
            let start = MonotonicInstant.now
            let result = await transcode(source, bytes.count, in: pool)
            let time = start.duration(to: .now)
            let peak = await CorpusLane.peak(of: pool) ?? 0
            let (verdict, flaws) = try compare(result, with: source, oracle)
            summary.note(result, time, type, verdict)
            if verdict == .elsewhere, case .failure(let failure) = result {
                summary.elsewhere.append("\(name): \(failure.reason.rawValue): \(failure.detail)")
            }
            if !flaws.isEmpty {
                summary.wrong.append("\(name): \(flaws.joined(separator: "; "))")
                try keep(bytes, "\(number)-\(file.name.split(separator: "/").last ?? "")")
            }
            if time > Self.budget + Self.grace { summary.wrong.append("\(name) took \(Int(time.milliseconds)) ms") }
            if peak > Self.maxPeakKilobytes { summary.wrong.append("\(name) took \(peak / 1_024) MB") }
            summary.peakKilobytes = max(summary.peakKilobytes, peak)
            for end in ends.withLock({ ends in
                defer { ends = [] }
                return ends
            }) { summary.ends[end, default: []].append(name) }
        }
        await pool.shutdown()
        return summary
    }

    private func compare(
        _ result: Result<RenditionSet, MediaFailure>, with source: MediaFile, _ oracle: borrowing OracleProcess
    ) throws -> (CorpusEntry.Verdict, flaws: [String]) {
        let seen = try oracle.observed(of: source)
        switch (result, seen) {
        case (.failure, .success): return (.elsewhere, [])
        case (.failure, .failure): return (.refused, [])
        case (.success, .failure): return (.unjudged, [])
        case (.success(let set), .success(let observed)):
            guard let flaws = try CorpusLane.flaws(of: set, madeOf: observed, settings.profile, oracle) else {
                return (.unjudged, [])
            }
            return (flaws.isEmpty ? .shown : .wrong, flaws)
        }
    }

    private func keep(_ bytes: [UInt8], _ name: String) throws {
        guard let findings else { return }
        try FileManager.default.createDirectory(atPath: findings, withIntermediateDirectories: true)
        try FileSystem.replace("\(findings)/\(name)", with: bytes)
    }

    private func transcode(
        _ source: MediaFile, _ byteCount: Int, in pool: TranscodePool
    ) async -> Result<RenditionSet, MediaFailure> {
        await pool.transcode(
            TranscodeRequest(
                source: FetchedMedia(
                    file: source, byteCount: byteCount, declaredType: nil, identity: "mutation"),
                form: settings.profile.attachment, options: AttachmentOptions(), deadline: .now + Self.budget,
                trace: StageTrace()
            ) { _ throws(MediaFailure) in
                do throws(SystemError) {
                    return try AnonymousFile.createInMemory()
                } catch {
                    throw MediaFailure(.storageFailed, error.description)
                }
            })
    }
}
