/// The type of a PNG chunk, a RIFF chunk or an ISO box: four ASCII characters as one number.
struct FourCharacterCode: Equatable, Hashable, Sendable, ExpressibleByStringLiteral {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The four bytes, each of 0x20…0x7E: all types that exist are so, trailers of cameras seldom.
    var isPrintable: Bool {
        bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// For one line of a log: the characters in quotes, or the number where they cannot be printed.
    var text: String {
        isPrintable ? "'\(String(decoding: bytes, as: UTF8.self))'" : "0x\(String(rawValue, radix: 16))"
    }

    private var bytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    }
}
