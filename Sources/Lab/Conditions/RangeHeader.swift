import Primitives

/// The header `Range` (RFC 9110, section 14.2), as far as this origin supports it: one range of bytes.
package enum RangeHeader: Sendable, Equatable {
    /// A range such as `bytes=100-199` or `bytes=100-`. The last byte is included.
    case from(Int, through: Int?)
    /// A number of bytes at the end of the body, such as `bytes=-100`.
    case suffix(Int)

    /// Parses a value. The result is `nil` if the value has several ranges or another unit, or is malformed. The origin
    /// then ignores the header, as RFC 9110 §14.2 permits.
    package init?(_ value: String) {
        let parts = value.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let numbers = ends.map { Int(decimalDigits: $0, atMost: 18) }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (nil, let length?) where ends[0].isEmpty: self = .suffix(length)
        default: return nil
        }
    }

    /// Returns the selected bytes of a body of `size` bytes; `nil` if the body has none of them.
    package func bytes(of size: Int) -> Range<Int>? {
        let bytes =
            switch self {
            case .from(let first, let last): min(first, size)..<min((last ?? size) + 1, size)
            case .suffix(let length): max(0, size - length)..<size
            }
        return bytes.isEmpty ? nil : bytes
    }
}
