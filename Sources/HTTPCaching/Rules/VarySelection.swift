import HTTPTypes

/// Which stored response is for which request, where the URL alone does not say (RFC 9111 §4.1).
enum VarySelection {
    /// The fields that the response was chosen by. `nil`: nobody else's request can be known to match, for `*` is among
    /// them, or something that is no name.
    static func names(in fields: HTTPFields) -> [HTTPField.Name]? {
        var names: [HTTPField.Name] = []
        for element in ListField.elements(fields[values: .vary]) {
            guard element != "*", let name = HTTPField.Name(element) else { return nil }
            names.append(name)
        }
        return names
    }

    /// The fields of a request that are kept with a response: those that it was chosen by, no others.
    static func selecting(_ fields: HTTPFields, for head: ResponseHead) -> HTTPFields {
        let names = Set((names(in: head.fields) ?? []).map(\.canonicalName))
        var kept = HTTPFields()
        for field in fields where names.contains(field.name.canonicalName) { kept.append(field) }
        return kept
    }

    static func matches(_ stored: StoredResponse, _ fields: HTTPFields) -> Bool {
        guard let names = names(in: stored.head.fields) else { return false }
        return names.allSatisfy { normalised($0, stored.requestFields) == normalised($0, fields) }
    }

    /// Lines are joined and white space around commas is left out; languages mean the same in any case and order
    /// (RFC 9110 §12.5.4). `nil` where the field is not there.
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
