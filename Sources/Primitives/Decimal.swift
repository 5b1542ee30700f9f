extension Int {
    /// Parses a text of 1 to `longest` ASCII digits, at most 18. A sign, an underscore or white space is not allowed.
    package init?(decimalDigits text: some StringProtocol, atMost longest: Int) {
        guard (1...longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.init(text)
    }
}

extension Double {
    /// The number rounded to one digit after the point.
    package var roundedToTenths: Double { (self * 10).rounded() / 10 }
}

extension String {
    /// Returns the text, padded with zeros at its start up to a length.
    package func padded(to length: Int) -> String { String(repeating: "0", count: max(0, length - utf8.count)) + self }

    /// Returns the text, with at least `least` blanks at its end, up to a number of columns.
    package func leftAligned(in columns: Int, least: Int = 0) -> String {
        self + String(repeating: " ", count: max(least, columns - count))
    }
}
