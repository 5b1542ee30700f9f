package import HTTPTypes

extension HTTPFields {
    /// The value of a field, those of several lines joined: what the subscript says, which joins also what is one line.
    package func value(of name: HTTPField.Name) -> String? {
        guard let first = firstIndex(where: { $0.name == name }) else { return nil }
        guard !self[(first + 1)...].contains(where: { $0.name == name }) else { return self[name] }
        return self[first].value
    }
}
