/// Whole seconds, as `Age` and the directives of `Cache-Control` write them (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// What greater numbers count as: 2^31, some 68 years.
    static let greatest = 2_147_483_648

    /// `nil` where it is no number without sign: digits only, of any length.
    static func read(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return min(Int(text) ?? greatest, greatest)
    }
}
