import AppGroupStore
import FeatureKit
import RequestCoordinator
import Telemetry

/// The metrics of scarce resources: descriptors, inotify watches, and the open indexes of app groups.
struct ResourceMetrics: Sendable {
    let store: AppGroupStore
    let spool: Spool

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let openings = store.indexOpenings
        let scannedGroups = spool.scannedGroups
        return [
            MetricFamily(
                "appgroupd_group_index_opens_total", .counter, Double(openings.total),
                help: "Indexes of app groups that were opened."),
            MetricFamily(
                "appgroupd_group_indexes_open", .gauge, Double(openings.open),
                help: "Indexes of app groups that are open."),
            MetricFamily(
                "appgroupd_resource_short", by: "resource",
                ["descriptors": DescriptorBudget.isShort ? 1 : 0, "watches": scannedGroups > 0 ? 1 : 0],
                help: "1 while there are too few file descriptors or inotify watches, else 0."),
            MetricFamily(
                "appgroupd_spool_scanned_groups", .gauge, Double(scannedGroups),
                help: "App groups that are looked at each second, because inotify watches are short."),
        ]
    }
}
