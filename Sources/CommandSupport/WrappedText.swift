import Primitives

/// A layout with two columns, one for labels and one for texts. The texts are wrapped to the width of a terminal.
package enum WrappedText {
    /// The number of columns before the text.
    package static let margin = 11

    /// Returns paragraphs with a label beside the first, in lines of at most `width` columns. A longer word is not cut.
    package static func lines(_ label: String, _ paragraphs: [String], width: Int) -> [String] {
        paragraphs.enumerated().flatMap { index, text in
            let head = ("  " + (index == 0 ? label : "")).leftAligned(in: margin, least: 1)
            return lines(of: text, after: head, indent: margin, width: width)
        }
    }

    /// Returns a text after a head of `indent` columns, in lines of at most `width` columns, or in one line without a
    /// width. Further lines begin after `indent` blanks.
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
