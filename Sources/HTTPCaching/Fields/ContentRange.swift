import HTTPTypes

/// Which bytes of how many a response has (RFC 9110 §14.4).
package struct ContentRange: Sendable, Equatable {
    package var bytes: Range<Int>
    /// `nil` for `*`.
    package var completeLength: Int?

    init(bytes: Range<Int>, completeLength: Int?) {
        self.bytes = bytes
        self.completeLength = completeLength
    }

    /// `nil` where there is none, there are several, or none that can be true.
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .contentRange]
        guard lines.count == 1, let line = lines.first else { return nil }
        self.init(line)
    }

    /// `nil` where it cannot be true: a last byte before the first, or past the length.
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

    /// `bytes 0-4/10`; the bytes are not none.
    var text: String {
        "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(completeLength.map(String.init) ?? "*")"
    }
}
