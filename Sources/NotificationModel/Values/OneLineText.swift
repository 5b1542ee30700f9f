extension String {
    /// The text in one line, as titles and buttons show it. Characters that change the direction of text are removed,
    /// and each control character becomes a space.
    package var inOneLine: String { withoutControls(keepingLineFeeds: false) }

    /// Returns the text without characters that change the direction of text, and with a space in place of each control
    /// character.
    ///
    /// - Parameter keepingLineFeeds: Whether line feeds stay, because the text may have several lines.
    func withoutControls(keepingLineFeeds: Bool) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            if keepingLineFeeds, scalar == "\n" { return false }
            return [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        guard unicodeScalars.contains(where: { isControl($0) || $0.properties.isBidiControl }) else { return self }
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.properties.isBidiControl {
            line.append(isControl(scalar) ? " " : scalar)
        }
        return String(line)
    }

    /// Returns the whole characters at the start of the text that fit into a number of bytes.
    func prefix(ofBytes most: Int) -> Substring {
        guard utf8.count > most else { return self[...] }
        // The end is inside a character, or directly after one whose next scalar might belong to it.
        return self[..<utf8.index(startIndex, offsetBy: most)].dropLast()
    }
}
