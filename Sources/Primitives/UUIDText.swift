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
