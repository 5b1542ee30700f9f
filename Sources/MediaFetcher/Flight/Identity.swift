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
        unsafe String(unsafeUninitializedCapacity: 16) { bytes in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15
                unsafe bytes[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
    }
}
