import Base
import NotificationModel

/// The outcomes of damaged files.
struct MutationSummary: Sendable {
    private var outcomes: [String: Int] = [:]
    /// The oracle's judgement of the files of each type.
    private var verdicts: [String: [CorpusEntry.Verdict: Int]] = [:]
    private var times: [Duration] = []
    var peakKilobytes = 0
    /// The unexpected ends of workers, each with the files that they were processing.
    var ends: [String: [String]] = [:]
    /// The files that are refused although the oracle shows them.
    var elsewhere: [String] = []
    /// The files that exceeded the time or the memory, or whose renditions differ from the oracle's result.
    var wrong: [String] = []

    mutating func note(
        _ result: Result<RenditionSet, MediaFailure>, _ time: Duration, _ type: String, _ verdict: CorpusEntry.Verdict
    ) {
        times.append(time)
        verdicts[type, default: [:]][verdict, default: 0] += 1
        switch result {
        case .success: outcomes["renditions", default: 0] += 1
        case .failure(let failure): outcomes[failure.reason.rawValue, default: 0] += 1
        }
    }

    mutating func add(_ other: MutationSummary) {
        outcomes.merge(other.outcomes) { $0 + $1 }
        verdicts.merge(other.verdicts) { $0.merging($1, uniquingKeysWith: +) }
        ends.merge(other.ends) { $0 + $1 }
        times += other.times
        wrong += other.wrong
        elsewhere += other.elsewhere
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
        let judged = verdicts.sorted { $0.key < $1.key }.map { type, counts in
            let words = CorpusEntry.Verdict.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }
            return "    \(type): \(words.joined(separator: ", "))"
        }
        return
            ([first] + judged + (ended.isEmpty ? ["workers ended: 0"] : ended)
            + elsewhere.map { "elsewhere: \($0)" } + wrong.map { "wrong: \($0)" })
            .joined(separator: "\n")
    }
}
