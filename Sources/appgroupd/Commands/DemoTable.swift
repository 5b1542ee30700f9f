import NotificationModel

/// The demo's results for people.
struct DemoTable {
    private let widths = [36, 12, 18, 9]

    var head: String { line(["case", "outcome", "reason", "time", "result"]) }

    func row(_ title: String, _ notification: ProcessedNotification, path: String, isExpected: Bool) -> String {
        let milliseconds = Int(notification.timing.elapsed.milliseconds.rounded())
        let files = notification.attachments.map { "\n    \($0.identifier): \($0.asset.path)" }.joined()
        return line([
            title, notification.outcome.rawValue, notification.reason?.rawValue ?? "-", "\(milliseconds) ms",
            path + (isExpected ? "" : "   <- not expected"),
        ]) + files
    }

    private func line(_ cells: [String]) -> String {
        zip(cells, widths + [0]).map { cell, width in
            cell + String(repeating: " ", count: max(1, width - cell.count))
        }.joined().trimmingEnd()
    }
}

extension String {
    fileprivate func trimmingEnd() -> String { String(reversed().drop { $0 == " " }.reversed()) }
}
