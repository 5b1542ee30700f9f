import HTTPTypes

/// The range of bytes that a response contains, and the length of the whole representation (RFC 9110 §14.4).
package struct ContentRange: Sendable, Equatable {
    package var bytes: Range<Int>
    /// The length of the whole representation, in bytes; `nil` if the field has `*` in its place.
    package var completeLength: Int?

    init(bytes: Range<Int>, completeLength: Int?) {
        self.bytes = bytes
        self.completeLength = completeLength
    }

    /// Parses the `Content-Range` field. Returns `nil` if the response does not have exactly one such field, or if the
    /// field is malformed or contradictory.
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .contentRange]
        guard lines.count == 1, let line = lines.first else { return nil }
        self.init(line)
    }

    /// Parses the value of a field. Returns `nil` if the last byte precedes the first, or lies past the complete
    /// length.
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

    /// The value of the field, for example `bytes 0-4/10`. The range must not be empty.
    var text: String {
        "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(completeLength.map(String.init) ?? "*")"
    }
}
