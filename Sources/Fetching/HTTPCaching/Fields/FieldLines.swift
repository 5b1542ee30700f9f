import Base
package import HTTPTypes

/// The field lines of a message in one buffer, as they were received or as they were stored. Most fields are never
/// read, so the lines are parsed only when the fields are needed.
///
/// A line that begins with a blank continues the line before it (RFC 9112 §5.2). Invalid names are ignored.
package final class FieldLines: Sendable {
    private static let names = Guarded(FieldNames())

    /// The bytes of the lines, with their line ends.
    package let bytes: [UInt8]
    private let lineEnds: [Int]
    private let read = Guarded<HTTPFields?>(nil)

    /// Creates field lines from a buffer, with the offset after each line and its line end, in ascending order.
    package init(_ bytes: [UInt8], lineEnds: [Int]) {
        self.bytes = bytes
        self.lineEnds = lineEnds
    }

    /// Creates field lines from stored text, and finds the line ends in it.
    package convenience init(_ bytes: [UInt8]) {
        var ends: [Int] = []
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { ends.append(index + 1) }
        if ends.last ?? 0 < bytes.count { ends.append(bytes.count) }
        self.init(bytes, lineEnds: ends)
    }

    /// Creates one line for each field.
    package convenience init(_ fields: HTTPFields) {
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        for field in fields {
            bytes += field.name.rawName.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
            bytes += "\r\n".utf8
            ends.append(bytes.count)
        }
        self.init(bytes, lineEnds: ends)
    }

    /// The parsed fields of all lines. The lines are parsed once.
    package var fields: HTTPFields {
        read.withLock { read in
            if let read { return read }
            let fields = Self.names.withLock { names in readAll(&names) }
            read = fields
            return fields
        }
    }

    private func readAll(_ names: inout FieldNames) -> HTTPFields {
        var reader = FieldLineReader(bytes: bytes)
        reader.fields.reserveCapacity(lineEnds.count)
        var start = 0
        for end in lineEnds {
            reader.take(start..<end, &names)
            start = end
        }
        return reader.fields
    }

    /// Returns the value of a field; `nil` if it is absent. The other lines are not parsed if the field is a single
    /// line of printable ASCII.
    package func value(of name: HTTPField.Name) -> String? {
        let all = bytes
        let bytes = all.span
        let lowercaseName = name.canonicalName
        let wanted = lowercaseName.utf8.span
        var found: Range<Int>?
        var start = 0
        for end in lineEnds {
            let line = start..<end
            start = end
            if FieldLineReader.isContinuation(bytes.extracting(line)) { return fields.value(of: name) }
            guard Self.isNamed(bytes.extracting(line), wanted) else { continue }
            guard found == nil else { return fields.value(of: name) }
            found = line
        }
        guard let found else { return nil }
        let value = FieldLineReader.trimmed(bytes, found.lowerBound + wanted.count + 1, found.upperBound)
        for index in value where !Self.isPlain(bytes[index]) { return fields.value(of: name) }
        return String(decoding: all[value], as: UTF8.self)
    }

    /// Returns the values of the lines of a field. The other lines are parsed only if `value(of:)` parses them.
    func values(of name: HTTPField.Name) -> [String] {
        guard let value = value(of: name) else { return [] }
        return isParsed ? fields[values: name] : [value]
    }

    private var isParsed: Bool { read.withLock { $0 != nil } }

    /// Returns the lines without the fields of some names, given in lower case. The result is `nil` if a line continues
    /// the line before it, because the fields must then be parsed.
    func removing(_ names: [String]) -> FieldLines? {
        let all = bytes
        let bytes = all.span
        var (kept, ends): ([UInt8], [Int]) = ([], [])
        kept.reserveCapacity(all.count)
        ends.reserveCapacity(lineEnds.count)
        var start = 0
        for end in lineEnds {
            let line = bytes.extracting(start..<end)
            if FieldLineReader.isContinuation(line) { return nil }
            if !Self.isNamed(line, anyOf: names) {
                kept += all[start..<end]
                ends.append(kept.count)
            }
            start = end
        }
        return FieldLines(kept, lineEnds: ends)
    }

    /// Returns whether a line begins with a name, given in lower case, and a colon.
    private static func isNamed(_ line: Span<UInt8>, _ name: Span<UInt8>) -> Bool {
        guard line.count > name.count, line[name.count] == UInt8(ascii: ":") else { return false }
        for index in 0..<name.count where lowercased(line[index]) != name[index] { return false }
        return true
    }

    private static func isNamed(_ line: Span<UInt8>, anyOf names: [String]) -> Bool {
        for name in names {
            // Most names have another length than the name of the line.
            let count = name.utf8.count
            if line.count > count, line[count] == UInt8(ascii: ":"), isNamed(line, name.utf8.span) { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Returns whether a byte is printable ASCII or a tab. A value of such bytes is always valid.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: " ")...UInt8(ascii: "~")).contains(byte) || byte == UInt8(ascii: "\t")
    }
}

/// A parser that takes the lines in their order.
private struct FieldLineReader {
    let bytes: [UInt8]
    var fields = HTTPFields()

    /// Parses the line at a range of `bytes`, with or without its line end, and adds its field to `fields`.
    mutating func take(_ line: Range<Int>, _ names: inout FieldNames) {
        if Self.isContinuation(bytes.span.extracting(line)) {
            let rest = text(line)
            guard let last = fields.indices.last, !rest.isEmpty else { return }
            fields[last].value += fields[last].value.isEmpty ? rest : " " + rest
            return
        }
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")),
            let name = names.name(bytes.span.extracting(line.lowerBound..<colon))
        else { return }
        fields.append(HTTPField(name: name, value: text(colon + 1..<line.upperBound)))
    }

    private func text(_ part: Range<Int>) -> String {
        // Bytes that are not valid UTF-8 become U+FFFD.
        String(decoding: bytes[Self.trimmed(bytes.span, part.lowerBound, part.upperBound)], as: UTF8.self)
    }

    static func isContinuation(_ line: Span<UInt8>) -> Bool {
        line.count > 0 && (line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t"))
    }

    /// Returns the range without the white space at both ends.
    static func trimmed(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Range<Int> {
        var (start, end) = (start, end)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }
}

/// A cache of recently received field names. A look-up here is faster than the validation and lowercasing of a name.
struct FieldNames {
    private static let count = 64
    /// The maximum length of a cached name, in bytes. Without it, an origin could fill the memory with long names.
    private static let maxLength = 48

    private var names = [HTTPField.Name?](repeating: nil, count: FieldNames.count)

    /// Returns a field name; `nil` if the bytes are not a valid name (RFC 9110 §5.1).
    mutating func name(_ bytes: Span<UInt8>) -> HTTPField.Name? {
        guard bytes.count > 0 else { return nil }
        // Two names with the same index replace each other, and are validated each time.
        let ends = Int(bytes[0]) &* 5 &+ Int(bytes[bytes.count - 1]) &* 3 &+ Int(bytes[bytes.count / 2])
        let place = (ends &+ bytes.count &* 7) % Self.count
        if let known = names[place], Self.isWritten(known, bytes) { return known }
        let name = HTTPField.Name(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))
        if let name, bytes.count <= Self.maxLength { names[place] = name }
        return name
    }

    /// Returns whether a name has exactly these bytes, also in their case, because a name is forwarded as received.
    private static func isWritten(_ name: HTTPField.Name, _ bytes: Span<UInt8>) -> Bool {
        let written = name.rawName.utf8.span
        guard written.count == bytes.count else { return false }
        for index in 0..<written.count where written[index] != bytes[index] { return false }
        return true
    }
}
