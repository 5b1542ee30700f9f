import Base
import FeatureKit
import NotificationModel
import PayloadLint

/// The findings of `lint` for a terminal. Each finding has its line of the file, and a caret below its column. Lines
/// are at most as wide as the terminal.
struct LintTerminalReport {
    /// The number of columns before an excerpt.
    private static let margin = 4

    let report: LintReport
    /// The files by their names.
    let files: [String: LintFile]
    /// The number of columns of the terminal.
    let width: Int
    let isColored: Bool

    var lines: [String] {
        report.findings.flatMap(lines) + WrappedText.lines(of: report.summary, after: "", indent: 0, width: width)
    }

    private func lines(of finding: LintFinding) -> [String] {
        let place = "\(VisibleText.of(finding.file)):\(finding.line):\(finding.column):"
        let message = "\(VisibleText.of(finding.message)) [\(finding.rule)]"
        let severity = finding.severity.rawValue
        // The line is wrapped without the color, because color codes take no columns.
        var head = WrappedText.lines(of: "\(place) \(severity): \(message)", after: "", indent: 2, width: width)
        if isColored, let line = head.firstIndex(where: { $0.contains("\(severity):") }),
            let range = head[line].firstRange(of: "\(severity):")
        {
            head[line].replaceSubrange(range, with: finding.severity.colored + ":")
        }
        return head + excerpt(of: finding)
            + WrappedText.lines(of: VisibleText.of(finding.fix), after: "  fix: ", indent: 7, width: width)
    }

    /// Returns the part of the line around the column of the finding, and a line with the caret.
    private func excerpt(of finding: LintFinding) -> [String] {
        // A line that is not UTF-8 would not help the reader.
        guard let text = files[finding.file]?.text(ofLine: finding.line), !text.isEmpty,
            !text.contains(where: { $0 == "\u{FFFD}" || $0 == "\0" })
        else { return [] }
        let scalars = text.unicodeScalars
        let place = scalars.index(scalars.startIndex, offsetBy: finding.column - 1, limitedBy: scalars.endIndex)
        let before = Self.shown(text[..<(place ?? text.endIndex)])
        let after = Self.shown(text[(place ?? text.endIndex)...])
        let columns = max(20, width - Self.margin)
        // A line may have many kilobytes, so the excerpt begins shortly before the column of the finding.
        let head = Self.tail(of: before, columns: min(columns / 2, TerminalText.columns(of: before)))
        let rest = Self.head(of: after, columns: columns - TerminalText.columns(of: head))
        let blanks = String(repeating: " ", count: Self.margin)
        let caret = String(repeating: " ", count: TerminalText.columns(of: head)) + "^"
        return [blanks + head + rest, blanks + (isColored ? TerminalColor.green.bold(caret) : caret)]
    }

    /// Returns a text with blanks instead of tabs, so that the caret is below the right column.
    private static func shown(_ text: Substring) -> String {
        VisibleText.of(text.map { $0 == "\t" ? " " : String($0) }.joined())
    }

    private static func tail(of text: String, columns most: Int) -> String {
        var (kept, columns) = ([Character](), 0)
        for character in text.reversed() {
            columns += TerminalText.columns(of: character)
            // One column is for the ellipsis.
            if columns > most || (columns == most && kept.count + 1 < text.count) {
                return "…" + String(kept.reversed())
            }
            kept.append(character)
        }
        return text
    }

    private static func head(of text: String, columns most: Int) -> String {
        guard TerminalText.columns(of: text) > most else { return text }
        var (kept, columns) = ("", 1)
        for character in text {
            columns += TerminalText.columns(of: character)
            if columns > most { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
