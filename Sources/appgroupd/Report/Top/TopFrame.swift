import Base
import FeatureKit
import NotificationModel

/// The answers of a daemon at one instant, from which `top` makes a frame.
struct TopSnapshot: Sendable {
    /// The response of `GET /v1/status`.
    var status: JSONValue
    /// The response of `GET /v1/hosts`.
    var hosts: JSONValue
    var at: MonotonicInstant
}

/// One picture of `top`: the state of the daemon, its requests and workers, and its hosts.
///
/// The frame fits into the width and the height of a terminal. Without a terminal it has all rows.
struct TopFrame {
    let snapshot: TopSnapshot
    /// An earlier snapshot, from which the rates are computed; `nil` uses the rate of the daemon's own window.
    var earlier: TopSnapshot?
    var order = HostOrder.requests
    var isPaused = false
    /// A sentence about the last answer, if the daemon did not give one; `nil` otherwise.
    var problem: String?

    private var status: JSONValue { snapshot.status }

    /// Returns the lines of the frame.
    ///
    /// - Parameter width: The columns of the terminal; `nil` without one.
    /// - Parameter height: The rows of the terminal; `nil` without one. The last row then has the keys.
    func lines(width: Int?, height: Int?, isColored: Bool) -> [String] {
        let rows = summary.flatMap { name, text in
            WrappedText.lines(of: text, after: name.leftAligned(in: 10), indent: 10, width: width)
        }
        let hosts = HostLines(value: snapshot.hosts)
        var lines =
            [title(width: width, isColored: isColored)] + rows + ["", hosts.heading] + hosts.lines(width: width)
        guard let height else { return lines }
        // The last line has the keys, and the table of hosts is cut above it.
        let room = max(1, height - 1)
        if lines.count > room { lines = Array(lines.prefix(room)) }
        lines += [String](repeating: "", count: room - lines.count)
        let keys = "q quit   p \(isPaused ? "continue" : "pause")   s sort: \(order.rawValue)"
        return (lines + [keys]).map { line in width.map { Self.cut(line, to: $0) } ?? line }
    }

    /// Cuts a line at the width of the terminal. A line with colors is short.
    private static func cut(_ line: String, to width: Int) -> String {
        line.contains("\u{1B}") ? line : String(line.prefix(width))
    }

    private func title(width: Int?, isColored: Bool) -> String {
        let up = HumanText.duration(.milliseconds(status["uptimeMs"]?.integer ?? 0))
        let state = status["draining"]?.bool == true ? "ending" : status["ready"]?.bool == true ? "ready" : "starting"
        let word = problem == nil ? state : "no answer"
        let color: TerminalColor = word == "ready" ? .green : word == "no answer" ? .red : .yellow
        let rest = problem.map { ": \($0)" } ?? ", version \(status["version"]?.string ?? "?"), up \(up)"
        let text = "appgroupd " + word + rest + (isPaused ? " (paused)" : "")
        guard isColored else { return text }
        let shown = width.map { String(text.prefix($0)) } ?? text
        return shown.replacing("appgroupd \(word)", with: "appgroupd \(color.bold(word))", maxReplacements: 1)
    }

    /// The rows above the table of hosts, each with its name.
    private var summary: [(String, String)] {
        let load = status["load"]
        let recent = status["recent"]
        var rows = [
            (
                "requests",
                "\(count(load["running"])) running, \(count(load["queued"])) queued, \(rateOfAccepted) accepted/s, "
                    + "\(rateOfEmitted) emitted/s"
            ),
            ("outcomes", outcomes),
            (
                "times",
                "p50 \(time(recent["elapsedMs"]["p50"])), p95 \(time(recent["elapsedMs"]["p95"])) "
                    + "(\(count(recent["emitted"])) results in \(time(recent["windowMs"])))"
            ),
            (
                "slack",
                "p50 \(time(recent["slackMs"]["p50"])), p5 \(time(recent["slackMs"]["p5"])) before the deadline, "
                    + "\(count(recent["late"])) late"
            ),
        ]
        if let workers = status["workers"]?.object {
            let value = JSONValue.object(workers)
            rows.append(
                (
                    "workers",
                    "\(count(value["busy"])) busy, \(count(value["running"])) running of \(count(value["most"])), "
                        + "\(count(value["waiting"])) media waiting"
                ))
        }
        return rows
    }

    private var outcomes: String {
        let counts = (status["load"]["emitted"]?.object?.members ?? []).filter { $0.value.integer != 0 }
        guard !counts.isEmpty else { return "none yet" }
        return counts.map { member in
            let perSecond = earlier.map { earlier in
                rate(member.value.integer ?? 0, since: earlier.status["load"]["emitted"]?[member.key]?.integer, earlier)
            }
            let shown = perSecond.map { $0 > 0 ? " (\(Self.text($0))/s)" : "" } ?? ""
            return "\(member.key) \((member.value.integer ?? 0).grouped)\(shown)"
        }.joined(separator: ", ")
    }

    private var rateOfAccepted: String {
        guard let earlier else { return "-" }
        return Self.text(
            rate(status["load"]["accepted"]?.integer ?? 0, since: earlier.status["load"]["accepted"]?.integer, earlier))
    }

    private var rateOfEmitted: String {
        guard let earlier else {
            let window = Double(status["recent"]["windowMs"]?.integer ?? 0) / 1_000
            return Self.text(Double(status["recent"]["emitted"]?.integer ?? 0) / max(1, window))
        }
        return Self.text(rate(Self.emitted(status), since: Self.emitted(earlier.status), earlier))
    }

    private static func emitted(_ status: JSONValue) -> Int {
        (status["load"]["emitted"]?.object?.members ?? []).reduce(0) { $0 + ($1.value.integer ?? 0) }
    }

    /// Returns the number of events in each second since an earlier snapshot. A daemon that was started again counts from
    /// zero, and then has no rate.
    private func rate(_ count: Int, since last: Int?, _ earlier: TopSnapshot) -> Double {
        let seconds = earlier.at.duration(to: snapshot.at).seconds
        return seconds > 0 ? Double(max(0, count - (last ?? count))) / seconds : 0
    }

    private static func text(_ rate: Double) -> String {
        rate >= 100 ? Int(rate.rounded()).grouped : "\(rate.roundedToTenths)"
    }

    private func count(_ value: JSONValue?) -> String { (value?.integer ?? 0).grouped }

    private func time(_ value: JSONValue?) -> String {
        value?.double.map { HumanText.duration(.milliseconds($0)) } ?? "-"
    }
}
