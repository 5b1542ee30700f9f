import CommandSupport
import NotificationModel
import Primitives

/// The results of the demo as text. Each result has a row. Its attachments and its file are below the row.
struct DemoTable {
    private static let widths = [36, 13, 19]

    /// The number of columns of the terminal. `nil` means that paths are not shortened.
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

    /// Returns a row of the table.
    ///
    /// - Parameter color: The color of the second cell.
    private func line(_ cells: [String], color: TerminalColor? = nil) -> String {
        zip(cells, Self.widths + [0]).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(index < Self.widths.count ? 1 : 0, cell.1 - cell.0.count))
            guard isColored, index == 1, let color else { return cell.0 + blanks }
            return color.bold(cell.0) + blanks
        }.joined()
    }
}
