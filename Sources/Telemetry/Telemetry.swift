import CoreMetrics
import Glibc
package import LinuxIO
package import Logging

/// The telemetry of the program: log lines on standard error, and metrics for Prometheus.
///
/// The input is each log event and each metric that this program or one of its libraries passes to swift-log and
/// swift-metrics. The output is one line for each event, and the text of `/metrics`.
///
/// A log call never waits. It puts a line into a bounded queue, and one owned thread, `agd-log`, writes the lines. If
/// no process reads standard error, only that thread blocks. A line that does not fit into the queue is dropped and
/// counted. The number of series of a metric is bounded as well, so labels with values from clients do not fill the
/// memory.
///
/// Metrics are recorded on the caller's thread, under a lock. `Daemon` calls `flush` at its end; no component cancels a
/// write.
///
/// Payload texts, tokens and the queries of URLs must not be logged.
package struct Telemetry: Sendable {
    package let metrics: MetricsRegistry
    package let output: LogOutput
    private let threshold: LogThreshold

    /// Installs the program's backend of swift-log and swift-metrics. The method must be called once, before the first
    /// `Logger` is made.
    ///
    /// - Parameter level: The least severe level that is logged, until `level` is set.
    /// - Parameter metrics: The registry with the descriptions of the program's metrics.
    /// - Throws: A `SystemError` if the thread cannot be started.
    package static func bootstrap(
        level: Logger.Level, format: LogFormat, metrics: MetricsRegistry = MetricsRegistry()
    ) throws(SystemError) -> Telemetry {
        let layout = LogLayout(format, on: STDERR_FILENO)
        let telemetry = Telemetry(
            metrics: metrics, output: try LogOutput(to: STDERR_FILENO, layout: layout), threshold: LogThreshold(level))
        LoggingSystem.bootstrap { label in
            LineLogHandler(label: label, layout: layout, threshold: telemetry.threshold, output: telemetry.output)
        }
        metrics.add(ProcessMetrics.families)
        metrics.add { [output = telemetry.output] in [output.droppedLinesMetric] }
        MetricsSystem.bootstrap(metrics)
        return telemetry
    }

    /// The least severe level that is logged by loggers without a separate level.
    package var level: Logger.Level {
        get { threshold.level }
        nonmutating set { threshold.level = newValue }
    }

    /// Waits until all lines so far are written, or until the time is over. The daemon calls it last, before it exits.
    package func flush(within time: Duration) async { await output.flush(within: time) }
}
