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
