import Base
import FeatureKit
import Glibc
import NotificationModel

/// The progress of a batch in one line.
struct ProgressBar {
    let progress: WarmProgress

    private static let shortestBar = 10
    private static let maxBar = 40

    /// Returns a line with the bar at its start. It has at most `width` columns, so parts may be left out.
    func line(width: Int) -> String {
        var chosen: [String] = []
        let least = barWidth(columns: 0)
        for part in parts where least + Self.length(chosen + [part]) <= width { chosen.append(part) }
        let bar = bar(columns: barWidth(columns: width - Self.length(chosen)))
        return String((bar.isEmpty ? chosen : [bar] + chosen).joined(separator: " ").prefix(width))
    }

    /// The progress as a line of a log, with all parts.
    var text: String { parts.joined(separator: ", ") }

    /// The parts of the line, the most important first.
    private var parts: [String] {
        var parts = [count]
        if progress.failed > 0 { parts.append("\(progress.failed) failed") }
        if let remaining = progress.remaining { parts.append("\(HumanText.duration(remaining)) left") }
        parts.append("\(Self.rate(progress.rate))/s")
        parts.append(HumanText.bytes(progress.bytes))
        if let host = progress.slowestHost, !host.isEmpty { parts.append("slowest \(VisibleText.of(host))") }
        return parts
    }

    private var count: String {
        guard let total = progress.total else { return "\(progress.done) done" }
        let percent = total > 0 ? progress.done * 100 / total : 100
        return "\(percent)% \(progress.done)/\(total)"
    }

    /// Returns the number of columns of some parts, with a blank before each.
    private static func length(_ parts: [String]) -> Int { parts.reduce(0) { $0 + 1 + $1.count } }

    private static func rate(_ rate: Double) -> String {
        rate >= 9.95 ? "\(Int(rate.rounded()))" : "\(rate.roundedToTenths)"
    }

    /// Returns the number of columns of the bar, for the available columns; 0 if the number of items is not known yet.
    private func barWidth(columns: Int) -> Int {
        progress.total == nil ? 0 : min(Self.maxBar, max(Self.shortestBar, columns))
    }

    private func bar(columns: Int) -> String {
        guard columns > 2, let total = progress.total else { return "" }
        let filled = total > 0 ? min(columns - 2, (columns - 2) * progress.done / total) : columns - 2
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: columns - 2 - filled))]"
    }
}
