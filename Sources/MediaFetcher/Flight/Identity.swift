/// Names for bytes that no store has a name for.
enum Identity {
    /// 128 random bits, as 32 hexadecimal digits.
    static func next() -> String {
        let digits = String(UInt128.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
