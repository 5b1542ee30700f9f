/// A variable's or flag's text as a written value.
enum TextValue {
    /// Lists are cut at commas; what has mappings is YAML on one line. An empty text is an empty list or mapping.
    static func cut(_ text: String, as shape: ValueShape, from source: ValueSource) throws(ValueErrors)
        -> ConfigNode
    {
        switch shape {
        case .text: return ConfigNode(content: .text(text), source: source)
        case .list:
            let elements =
                text.allSatisfy { $0 == " " } ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
            return ConfigNode(
                content: .list(elements.map { ConfigNode(content: .text(trimmed($0)), source: source) }),
                source: source)
        case .mapping: return try yaml(text, from: source) ?? ConfigNode(content: .map([]), source: source)
        case .listOfMappings: return try yaml(text, from: source) ?? ConfigNode(content: .list([]), source: source)
        }
    }

    private static func yaml(_ text: String, from source: ValueSource) throws(ValueErrors) -> ConfigNode? {
        try YAMLText.parse(text) { _ in source }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
