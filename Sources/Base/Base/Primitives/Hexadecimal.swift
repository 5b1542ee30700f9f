/// Hexadecimal digits of bytes and numbers.
package enum Hexadecimal {
    /// Returns two lower-case digits for each byte.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            text.unicodeScalars.append(digit(byte >> 4))
            text.unicodeScalars.append(digit(byte & 15))
        }
    }

    /// Returns whether all bytes of a text are lower-case digits.
    package static func isLowercase(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func digit(_ value: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(value < 10 ? 0x30 + value : 0x57 + value)
    }
}

extension FixedWidthInteger {
    /// Returns the digits of the number, padded with zeros at their start up to a length.
    package func hexadecimal(digits: Int, uppercase: Bool = false) -> String {
        String(self, radix: 16, uppercase: uppercase).padded(to: digits)
    }
}

extension [UInt8] {
    /// Appends the last digits of a number, in lower case.
    package mutating func append(hexadecimal number: UInt64, digits: Int) {
        for place in stride(from: digits - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: number >> (4 * UInt64(place))) & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }
}

/// The text form of a UUID (RFC 9562 §4), in lower case.
package enum UUIDText {
    /// Returns the text of a UUID with its 64 high bits and its 64 low bits, which have the version and the variant.
    package static func text(high: UInt64, low: UInt64) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        text.append(hexadecimal: high >> 32, digits: 8)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: high >> 16, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: high, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: low >> 48, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: low, digits: 12)
        return String(decoding: text, as: UTF8.self)
    }
}

/// The base 83 of a BlurHash: whole numbers with the highest digit first (wolt/blurhash, "Algorithm.md": "Base 83").
package enum Base83 {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// Returns the digits of a number.
    ///
    /// - Parameter value: The number, from 0. If it needs more digits, the highest ones are dropped.
    /// - Parameter count: The number of digits.
    package static func text(_ value: Int, digits count: Int) -> String {
        var rest = max(0, value)
        var text: [UInt8] = []
        for _ in 0..<count {
            text.append(digits[rest % digits.count])
            rest /= digits.count
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// Returns the value of digits.
    ///
    /// - Parameter text: At most nine digits, whose value fits an `Int`.
    /// - Returns: The value; `nil` if a character is not a digit.
    package static func value(_ text: some Sequence<UInt8>) -> Int? {
        var value = 0
        for (index, byte) in text.enumerated() {
            guard index < 9, let digit = digits.firstIndex(of: byte) else { return nil }
            value = value * digits.count + digit
        }
        return value
    }
}
