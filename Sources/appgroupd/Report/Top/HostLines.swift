import Base
import FeatureKit
import NotificationModel

/// The table of hosts of `top` and `status --hosts`, from the response of `GET /v1/hosts`.
///
/// Each host is one line. On a narrow terminal, the last columns are left out and long host names are cut, because the
/// first columns answer the question which host is slow or fails.
struct HostLines {
    private struct Column {
        let title: String
        let width: Int
        /// The least width of the terminal that has the column.
        let least: Int
        let text: @Sendable (JSONValue) -> String
    }

    private static let columns = [
        Column(title: "REQUESTS", width: 8, least: 0) { "\($0["requests"]?.integer ?? 0)" },
        Column(title: "FAILED", width: 6, least: 0) { "\($0["failed"]?.integer ?? 0)" },
        Column(title: "P50", width: 7, least: 0) { HostLines.time($0["firstByteMs"]["p50"]) },
        Column(title: "P95", width: 7, least: 0) { HostLines.time($0["firstByteMs"]["p95"]) },
        Column(title: "BYTES", width: 9, least: 72) { HumanText.bytes($0["bytes"]?.integer ?? 0) },
    ]
    /// The width of a terminal from which on each host has its reasons.
    private static let minForReasons = 110
    private static let minName = 16
    private static let maxName = 40
    /// The width of the last column: `open 31.9 s`.
    private static let breakerWidth = 11

    let value: JSONValue

    /// The sentence about the time that the figures cover.
    var heading: String {
        let covered = Duration.milliseconds(value["windowMs"]?.integer ?? 0)
        return "hosts of the last \(HumanText.duration(covered))"
    }

    /// Returns the lines of the table.
    ///
    /// - Parameter width: The columns of the terminal; without a terminal, the table has all columns.
    func lines(width: Int?) -> [String] {
        let hosts = value["hosts"]?.array ?? []
        let columns = Self.columns.filter { column in width.map { $0 >= column.least } ?? true }
        let rest = columns.reduce(0) { $0 + $1.width + 2 } + 2 + Self.breakerWidth
        let names = hosts.map { $0["host"]?.string ?? "" } + [otherName]
        let longest = max(names.map(\.count).max() ?? 0, 4)
        let room = width.map { max(Self.minName, min(Self.maxName, $0 - rest)) } ?? longest
        let nameWidth = min(longest, room)
        let showsReasons = width.map { $0 >= Self.minForReasons } ?? true
        func line(_ name: String, _ cells: [String], _ breaker: String, _ reasons: String) -> String {
            let numbers = zip(cells, columns).map { "  " + $0.rightAligned(in: $1.width) }.joined()
            let start = Self.cut(name, to: nameWidth).leftAligned(in: nameWidth) + numbers + "  "
            let whole =
                showsReasons ? start + breaker.leftAligned(in: Self.breakerWidth, least: 2) + reasons : start + breaker
            let cut = width.map { String(whole.prefix($0)) } ?? whole
            return String(cut.reversed().drop { $0 == " " }.reversed())
        }
        let head = line("HOST", columns.map(\.title), "BREAKER", "FAILURES")
        let rows = hosts.map { host in
            line(
                host["host"]?.string ?? "", columns.map { $0.text(host) }, Self.breaker(of: host),
                Self.reasons(of: host))
        }
        guard let other = value["other"], other["requests"]?.integer ?? 0 > 0 else { return [head] + rows }
        return [head] + rows + [line(otherName, columns.map { $0.text(other) }, "", Self.reasons(of: other))]
    }

    private var otherName: String { "other (\(value["other"]["hosts"]?.integer ?? 0))" }

    private static func breaker(of host: JSONValue) -> String {
        guard host["breaker"]?.string == "open" else { return "closed" }
        return "open \(HumanText.duration(.milliseconds(host["restMs"]?.integer ?? 0)))"
    }

    private static func reasons(of host: JSONValue) -> String {
        (host["failures"]?.object?.members ?? []).map { "\($0.key) \($0.value.integer ?? 0)" }.joined(separator: ", ")
    }

    private static func time(_ value: JSONValue?) -> String {
        value?.double.map { HumanText.duration(.milliseconds($0)) } ?? "-"
    }

    private static func cut(_ name: String, to width: Int) -> String {
        name.count > width ? String(name.prefix(max(0, width - 1))) + "…" : name
    }
}

extension String {
    /// Returns the text with blanks at its start, up to a number of columns.
    fileprivate func rightAligned(in columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - count)) + self
    }
}
