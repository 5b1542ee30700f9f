import Callbacks
import FoundationEssentials
import NotificationModel
import Primitives
import ServiceConfiguration
import Telemetry

extension Callbacks.Settings {
    init(_ configuration: Configuration) {
        self.init(
            targets: configuration.callbacks.targets.map { CallbackTarget($0) },
            linkBase: configuration.callbacks.apiURL.map(\.description) ?? "")
    }
}

extension CallbackTarget {
    fileprivate init(_ target: ConfiguredCallbackTarget) {
        self.init(
            name: target.name, url: target.url, shownURL: target.shownURL, keys: target.secretFile.keys,
            routing: CallbackRouting.Target(
                name: target.name, groups: target.groups, types: Set(target.types), hasResult: target.hasResult,
                requestOrigin: target.takesRequests ? target.origin : nil),
            concurrent: target.concurrent, timeout: target.timeout)
    }
}

/// The metrics of the messages that wait for their targets.
struct CallbackGauges: Sendable {
    let callbacks: Callbacks
    let clock: any RequestClock

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let (gauges, now) = (callbacks.gauges, clock.date)
        func family(
            _ name: String, _ help: String, _ value: (CallbackBacklog, _ isDisabled: Bool) -> Double
        ) -> MetricFamily {
            MetricFamily(
                name, by: "target", each: gauges.map { ($0.target, value($0.backlog, $0.isDisabled)) }, help: help)
        }
        let perTarget = [
            family("appgroupd_callbacks_pending", "Callbacks that a target has not accepted yet.") { backlog, _ in
                Double(backlog.pending)
            },
            family("appgroupd_callback_oldest_seconds", "Age of the oldest pending callback of a target.") {
                backlog, _ in backlog.oldest.map { max(0, now.timeIntervalSince($0)) } ?? 0
            },
            family("appgroupd_callback_target_disabled", "1 while a target gets no callbacks, else 0.") { _, isDisabled in
                isDisabled ? 1 : 0
            },
        ]
        let dropped = MetricFamily(
            "appgroupd_callbacks_dropped_total", .counter, Double(callbacks.dropped),
            help: "Pending callbacks that were removed because callbacks.quota was full.")
        return (gauges.isEmpty ? [] : perTarget) + [dropped]
    }
}
