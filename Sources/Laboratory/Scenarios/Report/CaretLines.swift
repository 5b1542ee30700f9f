import Base
import NotificationModel

/// The line of a file with a caret below a place in it.
package enum CaretLines {
    /// The number of columns of a line that are shown.
    private static let most = 70

    /// Returns the line with its number, and the line with the caret; empty if the file has no such line.
    package static func lines(_ lines: [String], at mark: TextMark, isColored: Bool = false) -> [String] {
        guard lines.indices.contains(mark.line - 1) else { return [] }
        var scalars = Array(VisibleText.of(lines[mark.line - 1]).unicodeScalars)
        var column = max(0, min(mark.column - 1, scalars.count))
        if column > most - 10 {
            // A place far to the right is shown with the text before it cut off.
            scalars = Array(scalars[(column - 20)...])
            column = 20
        }
        let shown = scalars.prefix(most)
        let length = max(1, Self.length(of: shown.dropFirst(column)))
        let number = String(mark.line)
        let margin = String(repeating: " ", count: max(0, 4 - number.count)) + number
        let caret = "^" + String(repeating: "~", count: length - 1)
        let text = shown.reduce(into: "") { $0.unicodeScalars.append($1) }
        return [
            "\(margin) | \(text)",
            "     | \(String(repeating: " ", count: column))\(isColored ? TerminalColor.red.bold(caret) : caret)",
        ]
    }

    /// Returns the length of the value at the begin of a text.
    private static func length(of text: ArraySlice<Unicode.Scalar>) -> Int {
        let value = text.prefix { !",}]#".unicodeScalars.contains($0) }
        return value.count - value.reversed().prefix { $0 == " " }.count
    }
}
