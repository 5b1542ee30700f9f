import AppGroupStore
import Composition
import Spool
import Telemetry

/// The metrics of resources that are scarce on a machine: descriptors, inotify watches, and the open indexes of app
/// groups.
struct ResourceMetrics: Sendable {
    let store: AppGroupStore
    let spool: Spool

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let openings = store.indexOpenings
        let scannedGroups = spool.scannedGroups
        return [
            MetricFamily(
                name: "appgroupd_group_index_opens_total", kind: .counter,
                help: "Indexes of app groups that were opened.",
                samples: [.init(value: Double(openings.total))]),
            MetricFamily(
                name: "appgroupd_group_indexes_open", kind: .gauge, help: "Indexes of app groups that are open.",
                samples: [.init(value: Double(openings.open))]),
            MetricFamily(
                name: "appgroupd_resource_short", kind: .gauge,
                help: "1 while there are too few file descriptors or inotify watches, else 0.",
                samples: [
                    Self.sample("descriptors", isShort: DescriptorBudget.isShort),
                    Self.sample("watches", isShort: scannedGroups > 0),
                ]),
            MetricFamily(
                name: "appgroupd_spool_scanned_groups", kind: .gauge,
                help: "App groups that are looked at each second, because inotify watches are short.",
                samples: [.init(value: Double(scannedGroups))]),
        ]
    }

    private static func sample(_ resource: String, isShort: Bool) -> MetricFamily.Sample {
        .init(labels: [MetricLabel(name: "resource", value: resource)], value: isShort ? 1 : 0)
    }
}
