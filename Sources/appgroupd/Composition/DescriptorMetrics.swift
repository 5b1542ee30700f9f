import FeatureKit
import Telemetry

/// The metrics of the descriptors, by the kinds of their uses.
struct DescriptorMetrics: Sendable {
    let budget: DescriptorBudget
    /// The numbers of uses at the moment. A kind without a number is always in use, or always free.
    let uses: @Sendable (DescriptorBudget.Kind) -> Int?

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let samples = DescriptorBudget.Kind.allCases.flatMap { kind in
            let share = budget.share(of: kind)
            // The daemon itself has its share, and the margin is free.
            let used = uses(kind).map { min(share, $0 * DescriptorBudget.each(kind)) } ?? (kind == .margin ? 0 : share)
            return [("used", used), ("free", share - used)].map { state, count in
                MetricFamily.Sample(
                    labels: [
                        MetricLabel(name: "kind", value: kind.rawValue), MetricLabel(name: "state", value: state),
                    ], value: Double(count))
            }
        }
        return [
            MetricFamily(
                name: "appgroupd_descriptors", kind: .gauge,
                help: "File descriptors that are reserved for a kind of use, by whether the uses exist at the moment.",
                samples: samples)
        ]
    }
}
