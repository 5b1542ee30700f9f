import Base
import NIOHTTP1

/// A change of one header of a response.
package enum FieldEdit: Sendable, Equatable {
    /// The header occurs once, with this value.
    case set(name: String, value: String)
    /// The response has one more header of this name.
    case add(name: String, value: String)
    case remove(name: String)

    /// Parses `Name:value`, `+Name:value` or `-Name` after percent-decoding. White space around the value is ignored.
    /// The result is `nil` if the name is not a token (RFC 9110, section 5.1), or if the value has a control character.
    /// A line break would let the client add another header.
    package init?(_ text: String) {
        if text.hasPrefix("-") {
            self = .remove(name: String(text.dropFirst()))
        } else {
            let adds = text.hasPrefix("+")
            let field = text.dropFirst(adds ? 1 : 0)
            guard let colon = field.firstIndex(of: ":") else { return nil }
            let name = String(field[..<colon])
            let value = String(field[field.index(after: colon)...].trimmingBlanks)
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else { return nil }
            self = adds ? .add(name: name, value: value) : .set(name: name, value: value)
        }
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) })
        else { return nil }
    }

    package var name: String {
        switch self {
        case .set(let name, _), .add(let name, _), .remove(let name): name
        }
    }

    /// Whether the change affects the position at which a client detects the end of the body.
    var changesFraming: Bool { ["content-length", "transfer-encoding"].contains(name.lowercased()) }

    func apply(to fields: inout HTTPHeaders) {
        switch self {
        case .set(let name, let value): fields.replaceOrAdd(name: name, value: value)
        case .add(let name, let value): fields.add(name: name, value: value)
        case .remove(let name): fields.remove(name: name)
        }
    }
}
