/// What a number means, as Prometheus knows it.
package enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}

/// A metric at one instant: all its series.
package struct MetricFamily: Sendable {
    /// One number. Labels are in order and have valid names.
    package struct Sample: Sendable {
        /// Behind the family's name: `_bucket`, `_sum`, `_count` of a histogram.
        package var suffix: String
        package var labels: [MetricLabel]
        package var value: Double

        package init(suffix: String = "", labels: [MetricLabel] = [], value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    package var name: String
    package var kind: MetricKind
    /// A sentence for people.
    package var help: String?
    package var samples: [Sample]

    package init(name: String, kind: MetricKind, help: String?, samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }
}

package struct MetricLabel: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What is said of a metric beside its numbers.
package struct MetricDescription: Sendable {
    package var help: String
    /// Upper bounds of a histogram's buckets, ascending, finite; in seconds for timers.
    package var buckets: [Double]

    package init(help: String, buckets: [Double] = Self.seconds) {
        self.help = help
        self.buckets = buckets
    }

    /// From the time of a cache hit to the standard budget of 30 seconds.
    package static let seconds = [
        0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
}

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
