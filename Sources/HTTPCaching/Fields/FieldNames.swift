import HTTPTypes

/// Names of fields that have come lately. To check one and put it into lower case takes longer than to find it here.
struct FieldNames {
    private static let count = 64
    /// Longer ones are not kept: an origin may send some that fill the memory.
    private static let longest = 48

    private var names = [HTTPField.Name?](repeating: nil, count: FieldNames.count)

    /// - Returns: `nil` for what is no name (RFC 9110 §5.1).
    mutating func name(_ bytes: Span<UInt8>) -> HTTPField.Name? {
        guard bytes.count > 0 else { return nil }
        // Where two names have one place, they are checked each time, and no more.
        let ends = Int(bytes[0]) &* 5 &+ Int(bytes[bytes.count - 1]) &* 3 &+ Int(bytes[bytes.count / 2])
        let place = (ends &+ bytes.count &* 7) % Self.count
        if let known = names[place], Self.isWritten(known, bytes) { return known }
        let name = HTTPField.Name(Self.text(bytes))
        if let name, bytes.count <= Self.longest { names[place] = name }
        return name
    }

    /// In the same case, too: it goes on as it came.
    private static func isWritten(_ name: HTTPField.Name, _ bytes: Span<UInt8>) -> Bool {
        let written = name.rawName.utf8.span
        guard written.count == bytes.count else { return false }
        for index in 0..<written.count where written[index] != bytes[index] { return false }
        return true
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
}
