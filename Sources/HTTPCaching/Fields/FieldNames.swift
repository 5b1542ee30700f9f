import HTTPTypes

/// A cache of recently received field names. A look-up here is faster than the validation and lowercasing of a name.
struct FieldNames {
    private static let count = 64
    /// The maximum length of a cached name, in bytes. Without it, an origin could fill the memory with long names.
    private static let longest = 48

    private var names = [HTTPField.Name?](repeating: nil, count: FieldNames.count)

    /// Returns a field name; `nil` if the bytes are not a valid name (RFC 9110 §5.1).
    mutating func name(_ bytes: Span<UInt8>) -> HTTPField.Name? {
        guard bytes.count > 0 else { return nil }
        // Two names with the same index replace each other, and are validated each time.
        let ends = Int(bytes[0]) &* 5 &+ Int(bytes[bytes.count - 1]) &* 3 &+ Int(bytes[bytes.count / 2])
        let place = (ends &+ bytes.count &* 7) % Self.count
        if let known = names[place], Self.isWritten(known, bytes) { return known }
        let name = HTTPField.Name(Self.text(bytes))
        if let name, bytes.count <= Self.longest { names[place] = name }
        return name
    }

    /// Returns whether a name has exactly these bytes. Upper and lower case must match, because a name is forwarded as
    /// it was received.
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
