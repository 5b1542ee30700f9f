import HTTPTypes

/// Reads the head of an answer: its lines, as libcurl hands them on, one behind the other.
///
/// A line that begins with a blank goes on with the one before (RFC 9112 §5.2). A name that is none is left out.
struct HeadReader {
    private var fields = HTTPFields()

    static func fields(_ head: [UInt8], _ names: inout FieldNames) -> HTTPFields {
        var reader = HeadReader()
        reader.fields.reserveCapacity(16)
        let bytes = head.span
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            reader.take(bytes.extracting(start..<end), &names)
            start = end + 1
        }
        return reader.fields
    }

    private mutating func take(_ line: Span<UInt8>, _ names: inout FieldNames) {
        guard line.count > 0 else { return }
        if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
            let rest = Self.text(line, from: 0)
            guard let last = fields.indices.last, !rest.isEmpty else { return }
            fields[last].value += fields[last].value.isEmpty ? rest : " " + rest
            return
        }
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon < line.count, let name = names.name(line.extracting(0..<colon)) else { return }
        fields.append(HTTPField(name: name, value: Self.text(line, from: colon + 1)))
    }

    /// Without what is blank at both ends.
    private static func text(_ line: Span<UInt8>, from start: Int) -> String {
        var (start, end) = (start, line.count)
        while start < end, isBlank(line[start]) { start += 1 }
        while end > start, isBlank(line[end - 1]) { end -= 1 }
        return String(line.extracting(start..<end))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }
}

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
        let name = HTTPField.Name(String(bytes))
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
}

extension String {
    /// What is no UTF-8 becomes U+FFFD.
    fileprivate init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
