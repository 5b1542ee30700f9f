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
