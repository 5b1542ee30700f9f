import HTTPTypes

/// The choice between stored responses with the same URL by the fields that `Vary` names (RFC 9111 §4.1).
enum VarySelection {
    /// Returns the names in `Vary`; `nil` for `*` or an invalid name, with which no later request can match.
    static func names(in head: ResponseHead) -> [HTTPField.Name]? {
        var names: [HTTPField.Name] = []
        for element in ListField.elements(head.values(of: .vary)) {
            guard element != "*", let name = HTTPField.Name(element) else { return nil }
            names.append(name)
        }
        return names
    }

    /// Returns the fields of a request that are stored with a response: only the fields that its `Vary` names.
    static func selecting(_ fields: HTTPFields, for head: ResponseHead) -> HTTPFields {
        let names = Set((names(in: head) ?? []).map(\.canonicalName))
        return fields.filtered { names.contains($0.canonicalName) }
    }

    static func matches(_ stored: StoredResponse, _ fields: HTTPFields) -> Bool {
        guard let names = names(in: stored.head) else { return false }
        return names.allSatisfy { normalised($0, stored.requestFields) == normalised($0, fields) }
    }

    /// Returns the elements of a field in a comparable form; `nil` if the field is absent. Lines are joined, and white
    /// space around commas is removed. Languages are compared without regard to case and order (RFC 9110 §12.5.4).
    private static func normalised(_ name: HTTPField.Name, _ fields: HTTPFields) -> [String]? {
        guard fields.contains(name) else { return nil }
        switch name {
        case .acceptLanguage:
            return ListField.elements(fields[values: name])
                .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted()
        case .cookie: return [fields[name] ?? ""]
        default: return ListField.elements(fields[values: name])
        }
    }
}
