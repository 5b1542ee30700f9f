extension Int {
    /// A number of ASCII digits and nothing else: no sign, no underscore, no blank, at least one digit.
    init?(decimalDigits text: some StringProtocol, atMost longest: Int) {
        guard (1...longest).contains(text.utf8.count) else { return nil }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self.init(text)
    }
}
