import Primitives

/// The source of identifiers for bodies that are not stored, and therefore have no identifier from a store.
enum Identity {
    /// A random number of this process, so that two processes do not use the same identifiers.
    private static let start = UInt64.random(in: .min ... .max)
    private static let last = Guarded<UInt64>(0)

    /// Returns a unique identifier of 32 hexadecimal digits.
    static func next() -> String {
        let number = last.withLock { last in
            last += 1
            return last
        }
        return unsafe String(unsafeUninitializedCapacity: 32) { bytes in
            for place in 0..<16 {
                unsafe bytes[place] = digit(place, of: start)
                unsafe bytes[16 + place] = digit(place, of: number)
            }
            return 32
        }
    }

    private static func digit(_ place: Int, of number: UInt64) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15
        return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
