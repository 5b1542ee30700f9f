extension UInt8 {
    /// Whether the byte is a letter from `A` to `Z` or from `a` to `z`.
    package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether the byte is a digit from `0` to `9`.
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

    /// The value of a hexadecimal digit, 0…15; `nil` for other bytes.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt16 {
    /// Parses the digits of a port: 0…65535, with any number of leading zeros; `nil` for other texts.
    ///
    /// The integer initializers of the standard library also accept a sign, which no URL has before its port.
    package init?(portDigits text: some StringProtocol) {
        guard text.utf8.allSatisfy(\.isASCIIDigit), let number = UInt16(text) else { return nil }
        self = number
    }
}
