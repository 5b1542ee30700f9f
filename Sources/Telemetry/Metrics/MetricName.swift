/// Names as Prometheus' data model permits them; other characters become underscores.
enum MetricName {
    private static let mostCharacters = 128

    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`; without colons, which are for recording rules.
    static func of(_ label: String) -> String { cleaned(label) }

    /// `[a-zA-Z_][a-zA-Z0-9_]*`. Names that begin with two underscores are Prometheus' own, and `le` is its bucket's.
    static func ofLabel(_ dimension: String) -> String {
        let name = cleaned(dimension)
        if name == "le" { return "le_" }
        return name.hasPrefix("__") ? "_" + name.drop { $0 == "_" } : name
    }

    private static func cleaned(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars.prefix(mostCharacters) {
            switch scalar {
            case "a"..."z", "A"..."Z", "_", "0"..."9": name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        guard let first = name.first, !first.isNumber else { return "_" + name }
        return name
    }

    /// Sorted, each name once (of a repeated one the last value), values cut to 128 characters.
    static func labels(of dimensions: [(String, String)]) -> [MetricLabel] {
        var values: [String: String] = [:]
        for (name, value) in dimensions { values[ofLabel(name)] = String(value.prefix(mostCharacters)) }
        return values.sorted { $0.key < $1.key }.map { MetricLabel(name: $0.key, value: $0.value) }
    }
}
