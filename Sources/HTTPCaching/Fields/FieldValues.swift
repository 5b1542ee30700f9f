import FoundationEssentials
package import HTTPTypes

extension HTTPFields {
    /// The value of a field, those of several lines joined: what the subscript says, which joins also what is one line.
    package func value(of name: HTTPField.Name) -> String? {
        // Most are told apart by their length.
        let length = name.canonicalName.utf8.count
        func hasName(_ field: HTTPField) -> Bool { field.name.canonicalName.utf8.count == length && field.name == name }
        guard let first = firstIndex(where: hasName) else { return nil }
        guard !self[(first + 1)...].contains(where: hasName) else { return self[name] }
        return self[first].value
    }
}

/// Lengths of and positions in a representation (RFC 9110 §8.6, §14.1.2).
enum ByteCount {
    /// Digits only. Unlike seconds they are not made smaller: what has more than 18 of them is none.
    static func read(_ text: some StringProtocol) -> Int? {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }
}

/// Whole seconds, as `Age` and the directives of `Cache-Control` write them (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// What greater numbers count as: 2^31, some 68 years.
    static let greatest = 2_147_483_648

    /// `nil` where it is no number without sign: digits only, of any length.
    static func read(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return min(Int(text) ?? greatest, greatest)
    }
}

/// Fields that are for one connection, not for what comes over it (RFC 9110 §7.6.1, RFC 9111 §3.1).
enum ConnectionFields {
    private static let names: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The fields without those, and without the ones that `Connection` names.
    static func removed(from fields: HTTPFields) -> HTTPFields {
        let named = ListField.elements(fields[values: .connection]).map { $0.lowercased() }
        let gone = names.union(named)
        var kept = HTTPFields()
        for field in fields where !gone.contains(field.name.canonicalName) { kept.append(field) }
        return kept
    }
}

/// Who receives a response without a date gives it one before it is stored (RFC 9110 §6.6.1).
enum DateField {
    static func added(to fields: HTTPFields, received: Date) -> HTTPFields {
        guard !fields.contains(.date) else { return fields }
        var fields = fields
        fields[.date] = HTTPDate.text(received)
        return fields
    }
}
