import NIOHTTP1

/// A change to one field of a response's head.
package enum FieldEdit: Sendable, Equatable {
    /// The field is there once, with this value.
    case set(name: String, value: String)
    /// One more line of that name.
    case add(name: String, value: String)
    case remove(name: String)

    /// Reads `Name:value`, `+Name:value` or `-Name`, percent-decoded. Blanks around the value do not count. `nil` where
    /// the name is no token (RFC 9110, section 5.1), or where the value has a control character in it: a line break
    /// would be a second field of the client's making.
    package init?(_ text: String) {
        if text.hasPrefix("-") {
            self = .remove(name: String(text.dropFirst()))
        } else {
            let adds = text.hasPrefix("+")
            let field = text.dropFirst(adds ? 1 : 0)
            guard let colon = field.firstIndex(of: ":") else { return nil }
            let name = String(field[..<colon])
            let value = Self.trimmed(field[field.index(after: colon)...])
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else { return nil }
            self = adds ? .add(name: name, value: value) : .set(name: name, value: value)
        }
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { return nil }
    }

    package var name: String {
        switch self {
        case .set(let name, _), .add(let name, _), .remove(let name): name
        }
    }

    /// Whether it changes where the client sees the body end.
    var changesFraming: Bool { ["content-length", "transfer-encoding"].contains(name.lowercased()) }

    func apply(to fields: inout HTTPHeaders) {
        switch self {
        case .set(let name, let value): fields.replaceOrAdd(name: name, value: value)
        case .add(let name, let value): fields.add(name: name, value: value)
        case .remove(let name): fields.remove(name: name)
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
