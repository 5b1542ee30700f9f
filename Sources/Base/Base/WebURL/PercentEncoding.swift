/// Percent-encoding of bytes in a URI (RFC 3986 §2.1).
package enum PercentEncoding {
    /// The reason for which a text cannot be decoded.
    package enum DecodingError: Error, Equatable {
        /// A percent sign is not followed by two hexadecimal digits.
        case malformedEscape
        /// The decoded bytes are not UTF-8.
        case notUTF8
    }

    /// Returns the text with all bytes encoded except the unreserved bytes (RFC 3986 §2.3) and the bytes of `also`.
    package static func text(of text: String, keeping also: String = "") -> String {
        encode(text[...]) { $0.isASCIILetterOrDigit || "-._~".utf8.contains($0) || also.utf8.contains($0) }
    }

    /// Returns the text with its bytes outside of ASCII encoded.
    package static func encodingNonASCII(in text: Substring) -> String { encode(text) { $0 < 0x80 } }

    package static func encodingSpaces(in text: Substring) -> String { encode(text) { $0 != UInt8(ascii: " ") } }

    /// Returns the decoded text. Each escape is decoded once, so `%252e` becomes `%2e` and not a dot.
    package static func decode(_ text: some StringProtocol) throws(DecodingError) -> String {
        guard isWellFormed(text) else { throw .malformedEscape }
        guard let decoded = String(validating: decodedBytes(of: text), as: UTF8.self) else { throw .notUTF8 }
        return decoded
    }

    /// Returns whether two hexadecimal digits follow each percent sign.
    package static func isWellFormed(_ text: some StringProtocol) -> Bool {
        var rest = Substring(text).utf8
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[percent...].dropFirst()
            guard escapedByte(at: rest) != nil else { return false }
        }
        return true
    }

    /// Returns the decoded bytes. A percent sign without two hexadecimal digits stands for itself.
    package static func decodedBytes(of text: some StringProtocol) -> [UInt8] {
        var rest = Substring(text).utf8
        guard rest.contains(UInt8(ascii: "%")) else { return Array(rest) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = escapedByte(at: rest) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Returns the byte that the next two digits stand for; `nil` if two hexadecimal digits do not follow.
    private static func escapedByte(at rest: Substring.UTF8View) -> UInt8? {
        let digits = rest.prefix(2)
        guard digits.count == 2, let high = digits.first?.hexadecimalValue, let low = digits.last?.hexadecimalValue
        else { return nil }
        return high << 4 | low
    }

    private static func encode(_ text: Substring, keeping isKept: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isKept) { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

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
