import Base
import FoundationEssentials
package import HTTPTypes

extension HTTPFields {
    /// Returns the value of a field, with the values of several lines joined; `nil` if the field is absent. The
    /// subscript returns the same value, but does the work of joining also for a single line.
    package func value(of name: HTTPField.Name) -> String? {
        // Most names differ in length, and the lengths are compared first because that is faster.
        let length = name.canonicalName.utf8.count
        func hasName(_ field: HTTPField) -> Bool { field.name.canonicalName.utf8.count == length && field.name == name }
        guard let first = firstIndex(where: hasName) else { return nil }
        guard !self[(first + 1)...].contains(where: hasName) else { return self[name] }
        return self[first].value
    }

    func filtered(_ isKept: (HTTPField.Name) -> Bool) -> HTTPFields {
        var kept = HTTPFields()
        for field in self where isKept(field.name) { kept.append(field) }
        return kept
    }
}

/// The parser of lengths and positions in a representation (RFC 9110 §8.6, §14.1.2).
enum ByteCount {
    /// Parses a number that consists of digits only. Returns `nil` if the text has more than 18 digits: unlike a number
    /// of seconds, a length is never reduced to a maximum.
    static func read(_ text: some StringProtocol) -> Int? { Int(decimalDigits: text, atMost: 18) }
}

/// The parser of whole seconds in `Age` and in the directives of `Cache-Control` (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// The maximum value, to which greater numbers are reduced: 2^31 seconds, about 68 years.
    static let greatest = 2_147_483_648

    /// Parses a number of any length; returns `nil` if the text has other characters than digits.
    static func read(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return min(Int(text) ?? greatest, greatest)
    }
}

/// The fields that concern one connection, and not the message on this connection (RFC 9110 §7.6.1, RFC 9111 §3.1).
enum ConnectionFields {
    private static let names = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Returns the fields without the fields of the connection, and without the fields that `Connection` names.
    static func removed(from fields: HTTPFields) -> HTTPFields {
        var head = ResponseHead(status: 200, fields: fields)
        remove(from: &head)
        return head.fields
    }

    /// Returns the response without the fields of the connection.
    static func removed(from response: OriginResponse) -> OriginResponse {
        var response = response
        remove(from: &response.head)
        return response
    }

    private static func remove(from head: inout ResponseHead) {
        head.remove(names + ListField.elements(head.values(of: .connection)).map { $0.lowercased() })
    }
}

/// The rule that a recipient adds a `Date` to a response without one before it stores the response (RFC 9110 §6.6.1).
enum DateField {
    static func added(to fields: HTTPFields, received: Date) -> HTTPFields {
        guard !fields.contains(.date) else { return fields }
        var fields = fields
        fields[.date] = HTTPDate.text(received)
        return fields
    }
}
