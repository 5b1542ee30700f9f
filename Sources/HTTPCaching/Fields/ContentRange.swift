import HTTPTypes

/// Which bytes of how many a response has (RFC 9110 §14.4).
struct ContentRange: Sendable, Equatable {
    var bytes: Range<Int>
    /// `nil` for `*`.
    var completeLength: Int?

    init(bytes: Range<Int>, completeLength: Int?) {
        self.bytes = bytes
        self.completeLength = completeLength
    }

    /// `nil` where there is none, or none that can be true: a last byte before the first, or past the length.
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .contentRange]
        guard lines.count == 1, let line = lines.first else { return nil }
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
