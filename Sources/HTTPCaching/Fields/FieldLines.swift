package import HTTPTypes
import NotificationModel

/// Fields as lines, one behind the other: those of an answer's head as they came, or as they were written down. Most of
/// them nobody asks for: they are all read when something of them is to be kept, or judged by.
///
/// A line that begins with a blank goes on with the one before (RFC 9112 §5.2). A name that is none is left out.
package final class FieldLines: Sendable {
    private static let names = Guarded(FieldNames())

    /// The lines, with their ends.
    package let bytes: [UInt8]
    private let lineEnds: [Int]
    private let read = Guarded<HTTPFields?>(nil)

    /// - Parameters:
    ///   - bytes: the lines, with their ends.
    ///   - lineEnds: where each ends in the bytes, its own end included; in their order.
    package init(_ bytes: [UInt8], lineEnds: [Int]) {
        self.bytes = bytes
        self.lineEnds = lineEnds
    }

    /// Of a text that they were written to.
    package convenience init(_ bytes: [UInt8]) {
        var ends: [Int] = []
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { ends.append(index + 1) }
        if ends.last ?? 0 < bytes.count { ends.append(bytes.count) }
        self.init(bytes, lineEnds: ends)
    }

    /// A line for each.
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

    /// All of them.
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

    /// The value of one field, without reading the others where it is plainly written in one line.
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

    /// - Parameter name: in lower case.
    private static func isNamed(_ line: Span<UInt8>, _ name: Span<UInt8>) -> Bool {
        guard line.count > name.count, line[name.count] == UInt8(ascii: ":") else { return false }
        for index in 0..<name.count where lowercased(line[index]) != name[index] { return false }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Visible ASCII and blanks, of which no value is refused.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: " ")...UInt8(ascii: "~")).contains(byte) || byte == UInt8(ascii: "\t")
    }
}

/// Reads one line after the other.
private struct FieldLineReader {
    let bytes: [UInt8]
    var fields = HTTPFields()

    /// - Parameter line: may have its end.
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
        // What is no UTF-8 becomes U+FFFD.
        String(decoding: bytes[Self.trimmed(bytes.span, part.lowerBound, part.upperBound)], as: UTF8.self)
    }

    static func isContinuation(_ line: Span<UInt8>) -> Bool {
        line.count > 0 && (line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t"))
    }

    /// Without what is blank at both ends.
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
