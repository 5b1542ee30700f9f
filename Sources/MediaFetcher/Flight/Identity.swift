import NotificationModel

/// Names for bytes that no store has a name for.
enum Identity {
    /// This process's own, so that two of them do not meet.
    private static let start = digits(UInt64.random(in: .min ... .max))
    private static let last = Guarded<UInt64>(0)

    /// 32 hexadecimal digits, never the same twice.
    static func next() -> String {
        let number = last.withLock { last in
            last += 1
            return last
        }
        return start + digits(number)
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
