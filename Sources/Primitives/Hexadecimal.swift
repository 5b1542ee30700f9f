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
