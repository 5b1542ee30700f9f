import Primitives

/// A random UUID (RFC 9562 §5.4) as text in lower case: the identifier of a stored response, or the name of its body.
///
/// The type `UUID` of FoundationEssentials opens, reads and closes `/dev/urandom` for each value, and formats its text
/// with `snprintf`. A download needs two of them.
package enum RandomUUID {
    package static func text() -> String {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next(), generator.next())
        var text: [UInt8] = []
        text.reserveCapacity(36)
        text.append(hexadecimal: high >> 32, digits: 8)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: high >> 16, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: high & 0xFFF | 0x4000, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: low >> 48 & 0x3FFF | 0x8000, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimal: low, digits: 12)
        return String(decoding: text, as: UTF8.self)
    }
}
