import Primitives
import WebURL

/// The identifier of a request, which is unique in its app group. It has 1…128 bytes and is a safe file name.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Parses letters, digits, `.`, `_`, `-`, `:`, `@`, `+` and `=`; `nil` if the text has another character, or a dot
    /// at the start.
    package init?(_ text: String) {
        guard (1...128).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."),
            text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || ".-_:@+=".utf8.contains($0) })
        else { return nil }
        description = text
    }

    /// Returns a new UUID of version 7 (RFC 9562 §5.7). Such UUIDs sort by the millisecond of their creation.
    package static func new(millisecondsSince1970: UInt64) -> RequestID {
        let high = millisecondsSince1970 << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
        let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF)
        return RequestID(unchecked: UUIDText.text(high: high, low: low))
    }

    private init(unchecked text: String) { description = text }
}
