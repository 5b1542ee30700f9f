/// Lengths of and positions in a representation (RFC 9110 §8.6, §14.1.2).
enum ByteCount {
    /// Digits only. Unlike seconds they are not made smaller: what has more than 18 of them is none.
    static func read(_ text: some StringProtocol) -> Int? {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }
}
