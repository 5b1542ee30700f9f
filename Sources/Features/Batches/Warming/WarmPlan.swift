import Base
import FeatureKit
import NotificationModel

/// The plan of a batch (`--dry-run`), which has the number of items that would be requested from each host.
struct WarmPlan {
    private var seen: Set<WarmKey> = []
    private var items = 0
    private var repeated = 0
    private var earlier = 0
    private var hosts: [String: Int] = [:]
    private var problemLines: [String] = []
    private(set) var problems = 0

    private static let maxProblems = 20

    /// - Parameter done: The items that an earlier run has completed.
    static func read(_ sources: WarmSources, done: Set<WarmKey>) async -> WarmPlan {
        var plan = WarmPlan()
        await sources.read { item in plan.add(item, done) }
        return plan
    }

    private mutating func add(_ item: Result<WarmItem, WarmProblem>, _ done: Set<WarmKey>) {
        switch item {
        case .failure(let problem):
            problems += 1
            if problems <= Self.maxProblems { problemLines.append("\(problem.place): \(problem.text)") }
        case .success(let item) where !seen.insert(item.key).inserted: repeated += 1
        case .success(let item) where done.contains(item.key): earlier += 1
        case .success(let item):
            items += 1
            hosts[item.host, default: 0] += 1
        }
    }

    var lines: [String] {
        let counts = [(earlier, "done in an earlier run"), (repeated, "repeated"), (problems, "unreadable")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let head = ["\(HumanText.counted(items, "item")) would be requested"] + counts
        let sorted = hosts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { host, count in
            "  \(host.isEmpty ? "(no host)" : VisibleText.of(host)): \(HumanText.counted(count, "item"))"
        }
        return [head.joined(separator: ", ")] + problemLines + sorted
    }
}
