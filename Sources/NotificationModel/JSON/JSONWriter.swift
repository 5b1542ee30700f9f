/// Writes JSON: on one line for programs, indented for people. Keys keep their order.
package struct JSONWriter {
    private var text = ""
    private let pretty: Bool

    private init(pretty: Bool) { self.pretty = pretty }

    package static func text(of value: JSONValue, pretty: Bool = false) -> String {
        var writer = JSONWriter(pretty: pretty)
        writer.write(value, depth: 0)
        return writer.text
    }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number): text += number.literal
        case .string(let string): write(string)
        case .array(let elements):
            writeList(elements, between: ("[", "]"), depth: depth) { writer, element in
                writer.write(element, depth: depth + 1)
            }
        case .object(let object):
            writeList(object.members, between: ("{", "}"), depth: depth) { writer, member in
                writer.write(member.key)
                writer.text += writer.pretty ? ": " : ":"
                writer.write(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element], between brackets: (String, String), depth: Int,
        _ writeElement: (inout JSONWriter, Element) -> Void
    ) {
        text += brackets.0
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            breakLine(depth: depth + 1)
            writeElement(&self, element)
        }
        if !elements.isEmpty { breakLine(depth: depth) }
        text += brackets.1
    }

    private mutating func breakLine(depth: Int) {
        guard pretty else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    private mutating func write(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
