import Base

/// A random UUID (RFC 9562 §5.4) as text in lower case: the identifier of a stored response, or the name of its body.
///
/// The type `UUID` of FoundationEssentials opens, reads and closes `/dev/urandom` for each value, and formats its text
/// with `snprintf`. A download needs two of them.
package enum RandomUUID {
    package static func text() -> String {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next(), generator.next())
        return UUIDText.text(high: high & ~0xF000 | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
