/// The field `Range` (RFC 9110, section 14.2), as far as this origin takes it: one range of bytes.
package enum RangeHeader: Sendable, Equatable {
    /// `bytes=100-199`, `bytes=100-`; the last byte counts.
    case from(Int, through: Int?)
    /// `bytes=-100`: so many bytes at the end.
    case suffix(Int)

    /// `nil` for several ranges, another unit, and what is malformed: a server that takes none of these answers as if
    /// there were no `Range`, and so does this one.
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

    /// The bytes that it means of so many; `nil` where there are none of them.
    package func bytes(of size: Int) -> Range<Int>? {
        let bytes =
            switch self {
            case .from(let first, let last): min(first, size)..<min((last ?? size) + 1, size)
            case .suffix(let length): max(0, size - length)..<size
            }
        return bytes.isEmpty ? nil : bytes
    }
}
