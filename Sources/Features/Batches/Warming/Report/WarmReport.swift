package import Base
package import NotificationModel

/// The sums of a batch, including the results of earlier runs in its journal.
///
/// `items` is the sum of `warm`, `failed`, `empty`, `repeated` and `notTried`. The sums of all hosts and of all reasons
/// are equal to the sums of the batch.
package struct WarmReport: Sendable {
    package struct Sums: Sendable, Equatable {
        package var warm = 0
        package var failed = 0
        package var empty = 0
        package var media = 0
        package var cached = 0
        package var kept = 0
        package var sourceBytes = 0
        package var renditionBytes = 0
        /// The sum of the times of the items, in milliseconds.
        package var milliseconds = 0

        /// The number of items that have ended.
        package var done: Int { warm + failed + empty }

        mutating func add(_ record: WarmRecord) {
            switch record.result {
            case .warm: warm += 1
            case .failed: failed += 1
            case .empty: empty += 1
            }
            media.add(clamping: record.media)
            cached.add(clamping: record.cached)
            kept.add(clamping: record.kept)
            sourceBytes.add(clamping: record.sourceBytes)
            renditionBytes.add(clamping: record.renditionBytes)
            milliseconds.add(clamping: record.milliseconds)
        }
    }

    /// The maximum number of hosts that are listed. Further hosts are added up under `otherHosts`.
    static let maxHosts = 1_000
    /// The maximum number of failures that are listed. Further failures are only counted.
    static let maxFailures = 1_000
    package static let otherHosts = "(others)"
    private static let maxListed = 10

    package private(set) var total = Sums()
    package private(set) var hosts: [String: Sums] = [:]
    package private(set) var reasons: [DegradationReason: Int] = [:]
    /// At most ten records, the slowest first.
    package private(set) var slowest: [WarmRecord] = []
    /// At most ten records, sorted by the size of their source files, the largest first.
    package private(set) var largest: [WarmRecord] = []
    package private(set) var failures: [WarmRecord] = []
    /// The number of items that ended in an earlier run.
    package var earlier = 0
    /// The number of repeated items in the sources.
    package var repeated = 0
    /// The number of items that were read and not tried.
    package var notTried = 0
    /// Whether all sources were read to their ends.
    package var isWhole = false
    /// The duration of this run.
    package var elapsed: Duration = .zero

    package init() {}

    package var items: Int { total.done + repeated + notTried }

    /// The number of failures that are counted and not listed.
    package var unlistedFailures: Int { total.failed - failures.count }

    package mutating func add(_ record: WarmRecord) {
        total.add(record)
        hosts[listedHost(record.host), default: Sums()].add(record)
        if record.result == .failed {
            reasons[record.reason ?? .internal, default: 0] += 1
            if failures.count < Self.maxFailures { failures.append(record) }
        }
        Self.insert(record, into: &slowest, by: \.milliseconds)
        Self.insert(record, into: &largest, by: \.sourceBytes)
    }

    /// Counts a part of a source that is not an item, without a record of it.
    mutating func addUnlistedProblem() {
        total.failed += 1
        reasons[.invalidPayload, default: 0] += 1
        hosts[listedHost(""), default: Sums()].failed += 1
    }

    private func listedHost(_ host: String) -> String {
        hosts[host] != nil || hosts.count < Self.maxHosts ? host : Self.otherHosts
    }

    private static func insert(_ record: WarmRecord, into list: inout [WarmRecord], by value: KeyPath<WarmRecord, Int>)
    {
        let number = record[keyPath: value]
        if number == 0 || (list.count == maxListed && list[maxListed - 1][keyPath: value] >= number) { return }
        let index = list.firstIndex { $0[keyPath: value] < number } ?? list.count
        list.insert(record, at: index)
        if list.count > maxListed { list.removeLast() }
    }

    /// The reasons, the most frequent first.
    package var sortedReasons: [(reason: DegradationReason, count: Int)] {
        reasons.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0.rawValue) < ($0.1, $1.0.rawValue) }
    }

    /// The hosts, sorted by the number of their items, the largest number first.
    package var sortedHosts: [(host: String, sums: Sums)] {
        hosts.map { ($0.key, $0.value) }.sorted { ($1.1.done, $0.0) < ($0.1.done, $1.0) }
    }
}

extension WarmReport {
    package var json: JSONValue {
        var totals: JSONObject = [
            "items": .number(items), "earlier": .number(earlier), "repeated": .number(repeated),
            "notTried": .number(notTried),
        ]
        total.append(to: &totals)
        var counts = JSONObject()
        for (reason, count) in sortedReasons { counts.append(reason.rawValue, .number(count)) }
        let listed = sortedHosts.map { host, sums in
            var object: JSONObject = ["host": .string(host)]
            sums.append(to: &object)
            return JSONValue.object(object)
        }
        return [
            "schemaVersion": 1, "complete": .bool(isWhole && notTried == 0),
            "seconds": .number((elapsed.seconds * 1_000).rounded() / 1_000), "totals": .object(totals),
            "hosts": .array(listed), "reasons": .object(counts), "slowest": .array(slowest.map(\.json)),
            "largest": .array(largest.map(\.json)), "failures": .array(failures.map(\.json)),
            "failuresNotListed": .number(unlistedFailures),
        ]
    }
}

extension WarmReport.Sums {
    fileprivate func append(to object: inout JSONObject) {
        let numbers = [
            ("warm", warm), ("failed", failed), ("empty", empty), ("media", media), ("cached", cached), ("kept", kept),
            ("sourceBytes", sourceBytes), ("renditionBytes", renditionBytes), ("ms", milliseconds),
        ]
        for (key, number) in numbers { object.append(key, .number(number)) }
    }
}
