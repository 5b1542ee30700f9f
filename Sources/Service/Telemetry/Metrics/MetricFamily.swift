/// The type of a metric, as Prometheus defines it.
package enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}

/// A metric at one instant, with all its series.
package struct MetricFamily: Sendable {
    /// A single number. Its labels are sorted and have valid names.
    package struct Sample: Sendable {
        /// The text after the family's name: `_bucket`, `_sum` or `_count` of a histogram, and an empty text otherwise.
        package var suffix = ""
        package var labels: [MetricLabel] = []
        package var value: Double

        package init(suffix: String = "", labels: [MetricLabel] = [], value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    package var name: String
    package var kind: MetricKind
    /// A sentence that describes the metric for operators; `nil` if the metric has no description.
    package var help: String?
    package var samples: [Sample]

    package init(name: String, kind: MetricKind, help: String?, samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }
}

extension MetricFamily {
    /// Creates a metric with one series.
    package init(_ name: String, _ kind: MetricKind, _ value: Double, help: String) {
        self.init(name: name, kind: kind, help: help, samples: [Sample(value: value)])
    }

    /// Creates a gauge with one series for each value of a label.
    package init(_ name: String, by label: String, _ values: KeyValuePairs<String, Double>, help: String) {
        self.init(name, by: label, each: values.map { ($0, $1) }, help: help)
    }

    package init(_ name: String, by label: String, each values: [(label: String, value: Double)], help: String) {
        let samples = values.map { Sample(labels: [MetricLabel(name: label, value: $0)], value: $1) }
        self.init(name: name, kind: .gauge, help: help, samples: samples)
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

/// The description of a metric, and the bounds of its buckets.
package struct MetricDescription: Sendable {
    package var help: String
    /// The upper bounds of a histogram's buckets, ascending and finite. The bounds of a timer are in seconds.
    package var buckets: [Double]

    package init(help: String, buckets: [Double] = Self.seconds) {
        self.help = help
        self.buckets = buckets
    }

    /// The bounds from the time of a cache hit to the standard budget of 30 seconds.
    package static let seconds = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
}

/// The conversion of labels to names that the data model of Prometheus permits. Other characters become underscores.
enum MetricName {
    private static let maxCharacters = 128

    /// Returns a metric name that matches `[a-zA-Z_:][a-zA-Z0-9_:]*`. The name has no colons, because colons are for
    /// recording rules.
    static func of(_ label: String) -> String {
        var name = ""
        for scalar in label.unicodeScalars.prefix(maxCharacters) {
            switch scalar {
            case "a"..."z", "A"..."Z", "_", "0"..."9": name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        guard let first = name.first, !first.isNumber else { return "_" + name }
        return name
    }

    /// Returns a label name that matches `[a-zA-Z_][a-zA-Z0-9_]*`. Prometheus reserves names that begin with two
    /// underscores, and `le` for its buckets.
    private static func ofLabel(_ dimension: String) -> String {
        let name = of(dimension)
        if name == "le" { return "le_" }
        return name.hasPrefix("__") ? "_" + name.drop { $0 == "_" } : name
    }

    /// Returns the labels sorted by name. The last value of a repeated name counts. Values are cut to 128 characters.
    static func labels(of dimensions: [(String, String)]) -> [MetricLabel] {
        var values: [String: String] = [:]
        for (name, value) in dimensions { values[ofLabel(name)] = String(value.prefix(maxCharacters)) }
        return values.sorted { $0.key < $1.key }.map { MetricLabel(name: $0.key, value: $0.value) }
    }
}
