import BenchProcess
import Foundation
import LinuxIO
import NotificationModel
import TranscodePool

/// Damaged files through the workers: each ends in time and in its memory, with renditions or with a reason.
struct MutationRun: Sendable {
    /// Time that a job has.
    static let budget = Duration.seconds(5)
    /// Beyond its budget, for a machine that is busy.
    private static let grace = Duration.milliseconds(250)
    private static let mostPeakKilobytes = 256 << 10
    /// Larger files are damaged too seldom in what matters.
    private static let mostBytes = 4 << 20

    let worker: String
    let profile: MediaProfile
    let files: [CorpusFile]
    let count: Int
    let seed: Int

    func run() async throws -> MutationSummary {
        let files = files.filter { (1...Self.mostBytes).contains($0.byteCount) }
        guard !files.isEmpty else { throw BenchFailure("no file is small enough to be damaged") }
        let lanes = min(count, ProcessInfo.processInfo.activeProcessorCount)
        return try await withThrowingTaskGroup(of: MutationSummary.self) { group in
            for lane in 0..<lanes {
                group.addTask { try await damage(stride(from: lane, to: count, by: lanes), files) }
            }
            return try await group.reduce(into: MutationSummary()) { $0.add($1) }
        }
    }

    private func damage(_ numbers: some Sequence<Int>, _ files: [CorpusFile]) async throws -> MutationSummary {
        let ends = Guarded<[String]>([])
        let pool = try TranscodePool(
            executable: worker, size: 1,
            observer: { event in
                if case .workerEnded(let end, _, _) = event { ends.withLock { $0.append("\(end)") } }
            })
        var summary = MutationSummary()
        for number in numbers {
            var mutation = MediaMutation(number: number, seed: seed)
            let file = files[mutation.below(files.count)]
            guard let source = file.open(), var bytes = try? FileSystem.bytes(of: source, at: 0, count: file.byteCount)
            else { continue }
            let kinds = mutation.apply(to: &bytes)
            let name = "mutation \(number) of \(file.name) (\(kinds))"
            let start = MonotonicInstant.now
            let result = try await transcode(bytes, in: pool)
            let time = start.duration(to: .now)
            let peak = await CorpusLane.peak(of: pool) ?? 0
            summary.note(result, time)
            if time > Self.budget + Self.grace { summary.wrong.append("\(name) took \(Int(time.milliseconds)) ms") }
            if peak > Self.mostPeakKilobytes { summary.wrong.append("\(name) took \(peak / 1_024) MB") }
            summary.peakKilobytes = max(summary.peakKilobytes, peak)
            for end in ends.withLock({ ends in
                defer { ends = [] }
                return ends
            }) { summary.ends[end, default: []].append(name) }
        }
        await pool.shutdown()
        return summary
    }

    private func transcode(_ bytes: [UInt8], in pool: TranscodePool) async throws -> Result<RenditionSet, MediaFailure>
    {
        let source = try AnonymousFile.createInMemory()
        try FileSystem.write(bytes[...], to: source.descriptor)
        return await pool.transcode(
            TranscodeRequest(
                source: FetchedMedia(
                    file: source, byteCount: bytes.count, declaredType: nil, identity: "mutation"),
                form: profile.attachment, options: AttachmentOptions(), deadline: .now + Self.budget,
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

/// The outcomes of damaged files.
struct MutationSummary: Sendable {
    private var outcomes: [String: Int] = [:]
    private var times: [Duration] = []
    var peakKilobytes = 0
    /// Ends of workers that the pool did not want, each with the files that were at them.
    var ends: [String: [String]] = [:]
    /// Files that took more time or memory than they may.
    var wrong: [String] = []

    mutating func note(_ result: Result<RenditionSet, MediaFailure>, _ time: Duration) {
        times.append(time)
        switch result {
        case .success: outcomes["renditions", default: 0] += 1
        case .failure(let failure): outcomes[failure.reason.rawValue, default: 0] += 1
        }
    }

    mutating func add(_ other: MutationSummary) {
        outcomes.merge(other.outcomes) { $0 + $1 }
        ends.merge(other.ends) { $0 + $1 }
        times += other.times
        wrong += other.wrong
        peakKilobytes = max(peakKilobytes, other.peakKilobytes)
    }

    var text: String {
        let sorted = times.sorted()
        func milliseconds(_ share: Double) -> Int {
            sorted.isEmpty ? 0 : Int(sorted[Int(Double(sorted.count - 1) * share)].milliseconds)
        }
        let words = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let first =
            "mutations: \(times.count): \(words); p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, "
            + "most \(milliseconds(1)) ms, peak \(peakKilobytes / 1_024) MB"
        let ended = ends.sorted { $0.key < $1.key }.flatMap { end, files in
            ["workers ended by \(end): \(files.count)"] + files.map { "    \($0)" }
        }
        return ([first] + (ended.isEmpty ? ["workers ended: 0"] : ended) + wrong.map { "wrong: \($0)" })
            .joined(separator: "\n")
    }
}
