import Base
import HTTPTypes

/// A single range of bytes in a request (RFC 9110 §14.1.2, §14.2).
enum ByteRange: Sendable, Equatable {
    /// The form `first-last`, which includes the last byte.
    case closed(Int, Int)
    /// The form `first-`, from a position to the end.
    case from(Int)
    /// The form `-length`, the last bytes of the representation.
    case last(Int)

    /// Parses the `Range` field. Returns `nil` if it is absent or malformed, has another unit, or lists several ranges.
    /// Such a field may be ignored (RFC 9110 §14.2).
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .range]
        guard lines.count == 1, let line = lines.first, let equals = line.firstIndex(of: "="),
            line[..<equals].lowercased() == "bytes"
        else { return nil }
        let text = line[line.index(after: equals)...].trimmingBlanks
        let sides = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2 else { return nil }
        switch (ByteCount.read(sides[0]), ByteCount.read(sides[1])) {
        case (let first?, let last?) where first <= last: self = .closed(first, last)
        case (let first?, nil) where sides[1].isEmpty: self = .from(first)
        case (nil, let length?) where sides[0].isEmpty: self = .last(length)
        default: return nil
        }
    }

    /// Returns the positions of the range in a representation of `length` bytes; `nil` if the range contains none of
    /// these positions (RFC 9110 §14.1.1).
    func resolved(length: Int) -> Range<Int>? {
        let range =
            switch self {
            case .closed(let first, let last): min(first, length)..<min(last + 1, length)
            case .from(let first): min(first, length)..<length
            case .last(let count): (length - min(count, length))..<length
            }
        return range.isEmpty ? nil : range
    }
}

/// The range of bytes that a response contains, and the length of the whole representation (RFC 9110 §14.4).
package struct ContentRange: Sendable, Equatable {
    package var bytes: Range<Int>
    /// The length of the whole representation, in bytes; `nil` if the field has `*` in its place.
    package var completeLength: Int?

    /// The value of the field, for example `bytes 0-4/10`. The range must not be empty.
    var text: String { "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(completeLength.map(String.init) ?? "*")" }
}

extension ContentRange {
    /// Parses the `Content-Range` field. Returns `nil` if the response does not have exactly one such field, or if the
    /// field is malformed or contradictory.
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .contentRange]
        guard lines.count == 1, let line = lines.first else { return nil }
        self.init(line)
    }

    /// Parses a value; returns `nil` if the last byte precedes the first, or lies past the complete length.
    package init?(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let positions = sides[0].split(separator: "-", omittingEmptySubsequences: false).map { ByteCount.read($0) }
        guard positions.count == 2, let first = positions[0], let last = positions[1], first <= last else { return nil }
        let length = ByteCount.read(sides[1])
        guard length != nil || sides[1] == "*", last < length ?? .max else { return nil }
        self.init(bytes: first..<(last + 1), completeLength: length)
    }
}
