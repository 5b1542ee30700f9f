import Base
import NotificationModel

/// A scanner that finds the positions of values in bytes that a parser has already accepted as JSON.
///
/// The scanner never reads beyond the bytes, even if they are not JSON. The positions in a text that is not JSON have
/// no meaning.
struct OutlineScanner {
    private let bytes: [UInt8]
    private(set) var position: Int
    private var steps: [JSONPath.Step] = []
    /// The positions of strings and keys that contain half of a surrogate pair. Readers replace this half by U+FFFD.
    private(set) var loneSurrogates: [JSONPath] = []

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Returns the outline of the next value, and moves the scanner to the byte after this value.
    mutating func next() -> SourceOutline { scanValue(depth: 0) }

    private mutating func scanValue(depth: Int) -> SourceOutline {
        skipWhiteSpace()
        var outline = SourceOutline(start: position, end: position)
        switch peek {
        case UInt8(ascii: "{") where depth < JSONParser.deepestNesting:
            scanList(until: UInt8(ascii: "}")) { scanner, _ in scanner.scanMember(of: &outline, depth: depth) }
        case UInt8(ascii: "[") where depth < JSONParser.deepestNesting:
            scanList(until: UInt8(ascii: "]")) { scanner, index in
                scanner.steps.append(.index(index))
                outline.elements.append(scanner.scanValue(depth: depth + 1))
                scanner.steps.removeLast()
            }
        case UInt8(ascii: "\""): if scanString() { loneSurrogates.append(JSONPath(steps)) }
        default: scanWord()
        }
        outline.end = position
        return outline
    }

    private mutating func scanMember(of outline: inout SourceOutline, depth: Int) {
        let start = position
        guard peek == UInt8(ascii: "\"") else { return scanWord() }
        let hasLoneSurrogate = scanString()
        let key = text(from: start)
        steps.append(.key(key))
        if hasLoneSurrogate { loneSurrogates.append(JSONPath(steps)) }
        skipWhiteSpace()
        if peek == UInt8(ascii: ":") { position += 1 }
        var member = scanValue(depth: depth + 1)
        steps.removeLast()
        member.start = start
        outline.members[key] = member
    }

    /// Scans the elements from the opening bracket to the closing bracket, and moves the position after it.
    private mutating func scanList(until end: UInt8, _ scanElement: (inout OutlineScanner, Int) -> Void) {
        position += 1
        var index = 0
        while true {
            skipWhiteSpace()
            guard let byte = peek else { return }
            if byte == end {
                position += 1
                return
            }
            if byte == UInt8(ascii: ",") {
                position += 1
                continue
            }
            let before = position
            scanElement(&self, index)
            index += 1
            // A byte that begins no value is skipped, so that the loop ends.
            if position == before { position += 1 }
        }
    }

    /// Scans a string or a key.
    ///
    /// - Returns: Whether the string contains half of a surrogate pair.
    private mutating func scanString() -> Bool {
        position += 1
        var (hasLoneSurrogate, isBehindHighHalf) = (false, false)
        while let byte = peek, byte != UInt8(ascii: "\"") {
            var unit: UInt16?
            if byte == UInt8(ascii: "\\") {
                unit = escapedUnit(at: position)
                position = min(bytes.count, position + (unit == nil ? 2 : 6))
            } else {
                position += 1
            }
            let isLowHalf = unit.map { (0xDC00..<0xE000).contains($0) } ?? false
            if isBehindHighHalf != isLowHalf { hasLoneSurrogate = true }
            isBehindHighHalf = unit.map { (0xD800..<0xDC00).contains($0) } ?? false
        }
        position = min(bytes.count, position + 1)
        return hasLoneSurrogate || isBehindHighHalf
    }

    /// Returns the code unit of an escape of the form `\uXXXX`. Returns `nil` for any other escape.
    private func escapedUnit(at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start + 1] == UInt8(ascii: "u") else { return nil }
        return UInt16(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
    }

    private func text(from start: Int) -> String {
        let written = bytes[start..<position]
        if !written.contains(UInt8(ascii: "\\")) {
            return String(decoding: written.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONParser.value(of: Array(written)))?.string ?? ""
    }

    private mutating func scanWord() {
        while let byte = peek, !" \t\r\n,]}:\"[{".utf8.contains(byte) { position += 1 }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhiteSpace() { while let byte = peek, " \t\r\n".utf8.contains(byte) { position += 1 } }
}
