import NotificationModel

/// The demo's results for people: a row for each, and below it the result and its files.
struct DemoTable {
    private static let widths = [36, 13, 19]

    /// Columns of the terminal; `nil`: no path is shortened.
    let width: Int?
    let isColored: Bool

    var head: String { line(["case", "outcome", "reason", "time"]) }

    func row(_ title: String, _ notification: ProcessedNotification, path: String, isExpected: Bool) -> String {
        let milliseconds = Int(notification.timing.elapsed.milliseconds.rounded())
        let row = line(
            [title, notification.outcome.rawValue, notification.reason?.rawValue ?? "-", "\(milliseconds) ms"],
            color: notification.outcome.color)
        let files = notification.attachments.map { attachment in
            let head = "    \(attachment.identifier): "
            return head + TerminalText.path(attachment.asset.path, width: width.map { $0 - head.count })
        }
        let result = "    result: \(path)" + (isExpected ? "" : "   <- not expected")
        return ([row] + files + [result]).joined(separator: "\n")
    }

    /// - Parameter color: the colour of the second cell.
    private func line(_ cells: [String], color: TerminalColor? = nil) -> String {
        zip(cells, Self.widths + [0]).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(index < Self.widths.count ? 1 : 0, cell.1 - cell.0.count))
            guard isColored, index == 1, let color else { return cell.0 + blanks }
            return color.bold(cell.0) + blanks
        }.joined()
    }
}

extension Outcome {
    /// Its colour on a terminal.
    var color: TerminalColor {
        switch self {
        case .rich, .passthrough, .prefetched: .green
        case .partial, .fallback, .expired, .cancelled: .yellow
        case .rejected: .red
        }
    }
}
