import CoreMetrics
import Glibc
import LinuxIO
import Logging

/// The telemetry of the program: log lines on standard error, in a file and in systemd's journal, and metrics for
/// Prometheus.
///
/// The input is each log event and each metric that this program or one of its libraries passes to swift-log and
/// swift-metrics. The output is one line for each event and destination, and the text of `/metrics`.
///
/// A log call never waits. It puts a line into a bounded queue for each destination, and one owned thread for each,
/// `agd-log`, writes the lines. If a destination blocks, only its thread blocks. A line that does not fit into the queue
/// is dropped and counted. The number of series of a metric is bounded as well, so labels with values from clients do
/// not fill the memory.
///
/// Metrics are recorded on the caller's thread, with atomic operations. `Daemon` calls `flush` at its end; no component
/// cancels a write.
///
/// Payload texts, tokens and the queries of URLs must not be logged.
///
/// To add a new metric, do this: record it with swift-metrics, and add its help text to the `meanings` of its part,
/// which `MetricDescriptions` or the feature lists. A metric that is only read when Prometheus asks is a
/// ``MetricFamily`` of a source in `Daemon.addMetrics`, or of the `metrics` of a feature. `MetricsPageTests` fails if
/// the daemon exports a metric that has no row in `docs/operate/metrics.md`.
package struct Telemetry: Sendable {
    package let metrics: MetricsRegistry
    private let destinations: [LogDestination]

    /// Installs the program's backend of swift-log and swift-metrics. The method must be called once, before the first
    /// `Logger` is made.
    ///
    /// - Parameter log: The destinations, whose levels apply until `change`.
    /// - Parameter metrics: The registry with the descriptions of the program's metrics.
    /// - Throws: A `LogDestinationError` if a destination cannot be used.
    package static func bootstrap(
        _ log: LogSettings, metrics: MetricsRegistry = MetricsRegistry()
    ) throws(LogDestinationError) -> Telemetry {
        let telemetry = Telemetry(metrics: metrics, destinations: try LogDestination.all(log, console: STDERR_FILENO))
        LoggingSystem.bootstrap { [destinations = telemetry.destinations] label in
            LineLogHandler(label: label, destinations: destinations)
        }
        metrics.add(ProcessMetrics.families)
        metrics.add { [telemetry] in [telemetry.droppedLines] }
        MetricsSystem.bootstrap(metrics)
        return telemetry
    }

    /// Opens a log file again that another program has moved.
    package func reopen() {
        for destination in destinations {
            if let file = destination.file { destination.output.reopen(file) }
        }
    }

    /// Changes the levels of the destinations, for all loggers without a separate level. Destinations are neither added
    /// nor removed.
    package func change(_ log: LogSettings) {
        for destination in destinations {
            let level =
                switch destination.kind {
                case .console: log.console
                case .file: log.file?.level
                case .journal: log.journal
                }
            if let level { destination.threshold.level = level }
        }
    }

    private var droppedLines: MetricFamily {
        MetricFamily(
            name: "appgroupd_log_dropped_lines_total", kind: .counter,
            help: "Log lines that were not written because their destination did not take them.",
            samples: destinations.map { destination in
                .init(
                    labels: [MetricLabel(name: "destination", value: destination.kind.rawValue)],
                    value: Double(destination.output.droppedLines))
            })
    }

    /// Waits until all lines so far are written, or until the time is over. The daemon calls it last, before it exits.
    package func flush(within time: Duration) async {
        await withDiscardingTaskGroup { group in
            for destination in destinations { group.addTask { await destination.output.flush(within: time) } }
        }
    }
}
