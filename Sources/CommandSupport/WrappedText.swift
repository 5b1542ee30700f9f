/// A layout with two columns, one for labels and one for texts. The texts are wrapped to the width of a terminal.
package struct WrappedText {
    /// The columns of the terminal.
    package let width: Int
    /// The number of columns before the text.
    package static let margin = 11

    package init(width: Int) { self.width = width }

    /// Returns a label with the text beside it, in lines of at most `width` columns. A longer word, such as a URL, is
    /// not cut.
    package func lines(_ label: String, _ text: String) -> [String] {
        let label = "  " + label
        let head = label + String(repeating: " ", count: max(1, Self.margin - label.count))
        return Self.lines(of: text, after: head, indent: Self.margin, width: width)
    }

    /// Returns a text after a head, in lines of at most `width` columns. Further lines begin after `indent` blanks.
    ///
    /// - Parameter indent: The number of columns of the head.
    /// - Parameter width: The columns of the terminal. `nil` means that the text is one line.
    package static func lines(of text: String, after head: String, indent: Int, width: Int?) -> [String] {
        guard let width else { return [head + text] }
        let blanks = String(repeating: " ", count: indent)
        return wrapped(text, to: max(20, width - indent)).enumerated().map { ($0 == 0 ? head : blanks) + $1 }
    }

    private static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
