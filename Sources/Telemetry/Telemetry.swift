import CoreMetrics
import FoundationEssentials
package import LinuxIO
package import Logging
import NotificationModel

/// What the program tells about itself: lines of log on standard error, and numbers for Prometheus.
///
/// What comes in: whatever is said through swift-log and swift-metrics, by this program and by its libraries. What goes
/// out: one line for each event, and the text of `/metrics`. What it refuses: to wait. Saying something puts a line into
/// a bounded queue; one owned thread, `agd-log`, writes it. Where nobody reads standard error, that thread waits alone,
/// and what finds no room is counted instead of kept. Numbers are bounded as well: a metric has so many series and no
/// more, so that a label made of what strangers send costs nothing.
///
/// Payload texts, tokens and the queries of URLs belong into no log.
package struct Telemetry: Sendable {
    package let metrics: MetricsRegistry
    package let output: LogOutput
    private let threshold: LogThreshold

    /// Becomes the program's backend of swift-log and swift-metrics. Called once, before any `Logger` is made.
    ///
    /// - Parameters:
    ///   - level: what is said from here on, until `level` is set to another.
    ///   - metrics: to be told what the program's metrics mean.
    ///   - metadataProvider: adds what each line is about; what a logger has of its own goes before it.
    /// - Throws: when the writing thread cannot be started.
    package static func bootstrap(
        level: Logger.Level, format: LogFormat, metrics: MetricsRegistry = MetricsRegistry(),
        metadataProvider: Logger.MetadataProvider? = nil
    ) throws(SystemError) -> Telemetry {
        let layout = LogLayout(format, on: .standardError)
        let telemetry = Telemetry(
            metrics: metrics, output: try LogOutput(to: .standardError, layout: layout), threshold: LogThreshold(level))
        LoggingSystem.bootstrap(
            { label, provider in
                LineLogHandler(
                    label: label, layout: layout, threshold: telemetry.threshold, output: telemetry.output,
                    metadataProvider: provider)
            }, metadataProvider: metadataProvider)
        metrics.add(ProcessMetrics.families)
        metrics.add { [output = telemetry.output] in [output.droppedLinesMetric] }
        MetricsSystem.bootstrap(metrics)
        return telemetry
    }

    /// The least severe that is said by loggers which have no level of their own.
    package var level: Logger.Level {
        get { threshold.level }
        nonmutating set { threshold.level = newValue }
    }

    /// Returns when all that has been said is written, or when the time is over. The last thing before the end.
    package func flush(within time: Duration) async { await output.flush(within: time) }
}
