/// A writer of JSON, on one line for programs or indented for people. Keys keep their order.
package struct JSONWriter {
    private var bytes: [UInt8] = []
    private let pretty: Bool

    private init(pretty: Bool) { self.pretty = pretty }

    package static func text(of value: JSONValue, pretty: Bool = false) -> String {
        String(decoding: bytes(of: value, pretty: pretty), as: UTF8.self)
    }

    /// Returns the value as JSON in UTF-8.
    package static func bytes(of value: JSONValue, pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(value, depth: 0)
        return writer.bytes
    }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: put("null")
        case .bool(let bool): put(bool ? "true" : "false")
        case .number(let number): bytes += number.literal.utf8
        case .string(let string): write(string)
        case .array(let elements):
            put(ascii: "[")
            for (index, element) in elements.enumerated() {
                beginElement(index, depth: depth)
                write(element, depth: depth + 1)
            }
            if !elements.isEmpty { breakLine(depth: depth) }
            put(ascii: "]")
        case .object(let object):
            put(ascii: "{")
            for (index, member) in object.members.enumerated() {
                beginElement(index, depth: depth)
                write(member.key)
                put(ascii: ":")
                if pretty { put(ascii: " ") }
                write(member.value, depth: depth + 1)
            }
            if !object.isEmpty { breakLine(depth: depth) }
            put(ascii: "}")
        }
    }

    private mutating func beginElement(_ index: Int, depth: Int) {
        if index > 0 { put(ascii: ",") }
        breakLine(depth: depth + 1)
    }

    private mutating func breakLine(depth: Int) {
        guard pretty else { return }
        put(ascii: "\n")
        for _ in 0..<depth { put("  ") }
    }

    private mutating func write(_ string: String) {
        put(ascii: "\"")
        var string = string
        string.withUTF8 { text in
            // Most bytes need no escape, and are copied in runs.
            var start = 0
            for (index, byte) in text.enumerated() where Self.needsEscape(byte) {
                bytes.append(contentsOf: text[start..<index])
                escape(byte)
                start = index + 1
            }
            bytes.append(contentsOf: text[start...])
        }
        put(ascii: "\"")
    }

    /// Returns whether RFC 8259 §7 requires an escape: for quotation marks, backslashes and control characters.
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): put("\\\"")
        case UInt8(ascii: "\\"): put("\\\\")
        case UInt8(ascii: "\n"): put("\\n")
        case UInt8(ascii: "\r"): put("\\r")
        case UInt8(ascii: "\t"): put("\\t")
        default:
            put(byte < 0x10 ? "\\u000" : "\\u00")
            bytes += String(byte, radix: 16).utf8
        }
    }

    private mutating func put(ascii character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    private mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
}
