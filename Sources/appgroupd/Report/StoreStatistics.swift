import Base
import FeatureKit
import FoundationEssentials
import NotificationModel
import StoreTools

/// The counts of the HTTP cache and the containers for `cache stats`.
struct StoreStatistics {
    struct Count {
        var entries = 0
        var bytes = 0
        /// The last use of the entry that was not used for the longest time; `nil` if there are no entries.
        var oldestUse: Date?

        mutating func add(_ bytes: Int, _ use: Date) {
            entries += 1
            self.bytes += bytes
            oldestUse = min(oldestUse ?? use, use)
        }
    }

    /// The maximum number of hosts or types that the text lists.
    private static let maxLines = 20
    /// The number of columns of a line of the text, which is the width of a standard terminal.
    private static let columns = 80
    /// The maximum length of a name in the text, so that the counts have room. The JSON has whole names.
    private static let maxOfName = 52

    /// Whether a daemon serves the root at the moment.
    var hasDaemon = false
    var deliveries: MediaDeliveries?
    private var responses = Count()
    private var responsesByType: [String: Count] = [:]
    private var responsesByHost: [String: Count] = [:]
    private var files = Count()
    private var filesByType: [String: Count] = [:]
    private var filesByGroup: [String: Count] = [:]
    private var pinned = Count()
    /// The earliest and the latest end of a pin; `nil` if no file is pinned.
    private var pinEnds: (first: Date, last: Date)?

    mutating func add(_ response: ListedResponse) {
        responses.add(response.bytes, response.usedAt)
        responsesByType[response.type ?? "-", default: Count()].add(response.bytes, response.usedAt)
        let host = PurgeTarget.host(of: response.url) ?? "-"
        responsesByHost[host, default: Count()].add(response.bytes, response.usedAt)
    }

    mutating func add(_ file: ListedFile, at now: Date) {
        if let end = file.pinEnd(at: now) {
            pinned.add(file.bytes, file.usedAt)
            pinEnds = (min(pinEnds?.first ?? end, end), max(pinEnds?.last ?? end, end))
        }
        files.add(file.bytes, file.usedAt)
        filesByType[file.mimeType, default: Count()].add(file.bytes, file.usedAt)
        filesByGroup[file.group.description, default: Count()].add(file.bytes, file.usedAt)
    }

    // MARK: JSON

    func json(cacheQuota: Int, mediaQuota: Int) -> JSONValue {
        [
            "hitRatio": deliveries.map { .number($0.hitRatio) } ?? .null,
            "delivered": deliveries.map { deliveries in
                .object(JSONObject(deliveries.counts.map { ($0.cache, .number($0.count)) }))
            } ?? .null,
            "responses": Self.json(
                responses, quota: cacheQuota, [("byType", responsesByType), ("byHost", responsesByHost)]),
            "files": Self.json(files, quota: mediaQuota, [("byType", filesByType), ("byGroup", filesByGroup)]),
            "pinned": [
                "entries": .number(pinned.entries), "bytes": .number(pinned.bytes),
                "firstEnd": .text((pinEnds?.first).map(EntryTime.text)),
                "lastEnd": .text((pinEnds?.last).map(EntryTime.text)),
            ],
        ]
    }

    private static func json(_ total: Count, quota: Int, _ parts: [(String, [String: Count])]) -> JSONValue {
        var object = json(total)
        object.append("quota", .number(quota))
        for (name, counts) in parts {
            object.append(name, .object(JSONObject(sorted(counts).map { ($0.key, .object(json($0.value))) })))
        }
        return .object(object)
    }

    private static func json(_ count: Count) -> JSONObject {
        [
            "entries": .number(count.entries), "bytes": .number(count.bytes),
            "oldestUse": .text(count.oldestUse.map(EntryTime.text)),
        ]
    }

    /// Returns the counts with the most bytes first.
    private static func sorted(_ counts: [String: Count]) -> [(key: String, value: Count)] {
        counts.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }
    }

    // MARK: Text

    func lines(cacheQuota: Int, mediaQuota: Int) -> [String] {
        var lines = Self.wrapped(hitLine)
        lines += Self.lines("HTTP cache", "response", responses, quota: cacheQuota)
        lines += Self.lines("by type", responsesByType) + Self.lines("by host", responsesByHost)
        lines += Self.lines("containers", "file", files, quota: mediaQuota)
        if let pinEnds {
            let last = pinEnds.first == pinEnds.last ? "" : " to \(EntryTime.text(of: pinEnds.last))"
            let files = "\(HumanText.counted(pinned.entries, "file")), \(HumanText.bytes(pinned.bytes))"
            lines += Self.wrapped("pinned: \(files), until \(EntryTime.text(of: pinEnds.first))\(last)")
        }
        return lines + Self.lines("by type", filesByType) + Self.lines("by group", filesByGroup)
    }

    private var hitLine: String {
        guard let deliveries else {
            return hasDaemon
                ? "hit ratio: unknown, the daemon has delivered no media since its start"
                : "hit ratio: unknown, because only a running daemon counts it"
        }
        let counts = deliveries.counts.map { "\($0.cache) \($0.count)" }.joined(separator: ", ")
        return "hit ratio: \(Int((deliveries.hitRatio * 100).rounded())) % since the daemon's start (\(counts))"
    }

    private static func lines(_ name: String, _ noun: String, _ count: Count, quota: Int) -> [String] {
        let entries = HumanText.counted(count.entries, noun)
        var line = "\(name): \(entries), \(HumanText.bytes(count.bytes)) of \(HumanText.bytes(quota))"
        if let use = count.oldestUse { line += ", least recently used \(EntryTime.text(of: use))" }
        return wrapped(line)
    }

    private static func wrapped(_ line: String) -> [String] {
        WrappedText.lines(of: line, after: "", indent: 2, width: columns)
    }

    private static func lines(_ name: String, _ counts: [String: Count]) -> [String] {
        guard !counts.isEmpty else { return [] }
        var table = TextTable(["  \(name)", "entries", "bytes"])
        for (key, count) in sorted(counts).prefix(maxLines) {
            table.add([
                "  \(VisibleText.short(key, most: maxOfName))", "\(count.entries)", HumanText.bytes(count.bytes),
            ])
        }
        let rest = counts.count - maxLines
        return table.lines + (rest > 0 ? ["  and \(rest) more"] : [])
    }
}
