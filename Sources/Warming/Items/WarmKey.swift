import Digests
import Primitives

/// The digest that identifies an item in a journal: 128 bits of a SHA-256.
package struct WarmKey: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Creates the key of texts in their order. The same characters with other boundaries between the texts result in
    /// another key.
    package init(_ parts: [String]) {
        var hash = SHA256()
        for part in parts {
            let bytes = Array(part.utf8)
            let prefix = Array("\(bytes.count):".utf8)
            hash.update(prefix.span)
            hash.update(bytes.span)
        }
        let digest = hash.finalize()
        high = Self.number(digest[..<8])
        low = Self.number(digest[8..<16])
    }

    /// Parses a key in the form of `description`.
    package init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }

    /// The key as 32 hexadecimal digits.
    package var description: String { high.hexadecimal(digits: 16) + low.hexadecimal(digits: 16) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
