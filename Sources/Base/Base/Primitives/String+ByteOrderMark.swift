extension String {
    /// The text without a byte order mark at its beginning, which some editors write.
    package var withoutByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }
}
