package import HTTPTypes
import NotificationModel

/// The lines of fields in the head of an answer, as they came, one behind the other. Most of them nobody asks for: they
/// are all read when something of them is to be kept, or judged by.
///
/// A line that begins with a blank goes on with the one before (RFC 9112 §5.2). A name that is none is left out.
package final class FieldLines: Sendable {
    private static let names = Guarded(FieldNames())

    private let bytes: [UInt8]
    private let lineEnds: [Int]
    private let read = Guarded<HTTPFields?>(nil)

    /// - Parameters:
    ///   - bytes: the lines, with their ends.
    ///   - lineEnds: where each ends in the bytes, its own end included; in their order.
    package init(_ bytes: [UInt8], lineEnds: [Int]) {
        self.bytes = bytes
        self.lineEnds = lineEnds
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
        let all = bytes
        let bytes = all.span
        var reader = FieldReader()
        reader.fields.reserveCapacity(lineEnds.count)
        var start = 0
        for end in lineEnds {
            reader.take(bytes.extracting(start..<end), &names)
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
            if FieldReader.isContinuation(bytes.extracting(line)) { return fields.value(of: name) }
            guard Self.isNamed(bytes.extracting(line), wanted) else { continue }
            guard found == nil else { return fields.value(of: name) }
            found = line
        }
        guard let found else { return nil }
        let value = FieldReader.trimmed(bytes, found.lowerBound + wanted.count + 1, found.upperBound)
        for index in value where !Self.isPlain(bytes[index]) { return fields.value(of: name) }
        return String(bytes.extracting(value))
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
private struct FieldReader {
    var fields = HTTPFields()

    /// - Parameter line: may have its end.
    mutating func take(_ line: Span<UInt8>, _ names: inout FieldNames) {
        if Self.isContinuation(line) {
            let rest = String(line.extracting(Self.trimmed(line, 0, line.count)))
            guard let last = fields.indices.last, !rest.isEmpty else { return }
            fields[last].value += fields[last].value.isEmpty ? rest : " " + rest
            return
        }
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon < line.count, let name = names.name(line.extracting(0..<colon)) else { return }
        fields.append(HTTPField(name: name, value: String(line.extracting(Self.trimmed(line, colon + 1, line.count)))))
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
