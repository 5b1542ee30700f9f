/// The summary of a corpus: a table by type, the reasons of refusals, and the errors.
struct CorpusSummary: Sendable {
    /// The maximum number of files that the text names for each reason and type. The report names all files.
    private static let maxNamed = 5

    private let entries: [CorpusEntry]
    /// The results of damaged copies; `nil` if no file was damaged.
    private let mutations: MutationSummary?

    /// - Parameter entries: The entries in the order of the text.
    init(_ entries: [CorpusEntry], mutations: MutationSummary?) {
        self.entries = entries
        self.mutations = mutations
    }

    var hasWrong: Bool { entries.contains { $0.verdict == .wrong } || mutations?.wrong.isEmpty == false }

    var text: String {
        ([table] + [refusals, wrong, mutations?.text ?? ""].filter { !$0.isEmpty }).joined(separator: "\n\n")
    }

    private var types: [String] { Set(entries.map(\.type)).sorted() }

    private var table: String {
        let head =
            ["type", "files"] + CorpusEntry.Verdict.allCases.map(\.rawValue)
            + ["p50 ms", "p99 ms", "most ms", "peak MB"]
        let lines = types.map { type in line(type, entries.filter { $0.type == type }) }
        return Self.aligned([head] + lines + (lines.count > 1 ? [line("all", entries)] : []))
    }

    private func line(_ type: String, _ entries: [CorpusEntry]) -> [String] {
        let times = entries.map(\.milliseconds).sorted()
        func time(_ share: Double) -> String {
            let tenths = Int((times[Int(Double(times.count - 1) * share)] * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
        let peak = entries.compactMap(\.peakKilobytes).max().map { "\(($0 + 512) / 1_024)" } ?? "-"
        return [type, "\(entries.count)"]
            + CorpusEntry.Verdict.allCases.map { verdict in "\(entries.count { $0.verdict == verdict })" }
            + [time(0.5), time(0.99), time(1), peak]
    }

    private var refusals: String {
        struct Why: Hashable, Comparable {
            let verdict, type, reason: String
            static func < (one: Why, other: Why) -> Bool {
                (one.verdict, one.type, one.reason) < (other.verdict, other.type, other.reason)
            }
        }
        let refused = entries.filter { $0.verdict == .refused || $0.verdict == .elsewhere }
        let groups = Dictionary(grouping: refused) { entry in
            let code = entry.unError.map { " (UNError \($0))" } ?? ""
            return Why(verdict: entry.verdict.rawValue, type: entry.type, reason: (entry.reason ?? "unread") + code)
        }
        return groups.keys.sorted().flatMap { why in
            let group = groups[why] ?? []
            let rest = group.count > Self.maxNamed ? ["    and \(group.count - Self.maxNamed) more"] : []
            return ["\(why.verdict): \(why.type): \(why.reason): \(group.count)"]
                + group.prefix(Self.maxNamed).map { "    \($0.path): \($0.detail ?? "")" } + rest
        }.joined(separator: "\n")
    }

    private var wrong: String {
        entries.filter { $0.verdict == .wrong }.map { entry in
            let why = entry.flaws + [entry.reason, entry.detail].compactMap(\.self)
            return "wrong: \(entry.path) (\(entry.oracle)): \(why.joined(separator: "; "))"
        }.joined(separator: "\n")
    }

    /// Returns columns as wide as their widest cell. The first column is aligned to the left.
    private static func aligned(_ lines: [[String]]) -> String {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
