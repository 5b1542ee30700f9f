import Base
package import CoreMetrics
import NotificationModel

/// The backend of swift-metrics: it stores the numbers, and renders them when Prometheus requests them.
///
/// The same name and labels are the same series. A timer or an aggregating recorder is a histogram; others are gauges.
///
/// The number of metrics and the number of series of each are bounded. A series beyond the bounds is refused. A series
/// whose name belongs to another metric is refused too. The values of a refused series are dropped, and
/// `appgroupd_metrics_dropped_series_total` counts the series.
package final class MetricsRegistry: MetricsFactory {
    package static let maxFamilies = 512
    package static let maxSeries = 256

    private struct Family {
        let kind: MetricKind
        var series: [[MetricLabel]: any MetricSeries] = [:]
    }

    private struct State {
        var families: [String: Family] = [:]
        var sources: [@Sendable () -> [MetricFamily]] = []
        var droppedSeries = 0
    }

    private static let droppedSeriesName = "appgroupd_metrics_dropped_series_total"

    private let state = Guarded(State())
    private let descriptions: [String: MetricDescription]

    /// Creates a registry without series.
    ///
    /// - Parameter descriptions: The descriptions by the names of their metrics. A metric without a description has no
    ///   HELP line, and has the standard buckets.
    package init(descriptions: [String: MetricDescription] = [:]) { self.descriptions = descriptions }

    /// Adds a source of metrics that is called at each request of Prometheus. A metric of the registry, or of an
    /// earlier source, takes precedence over a metric with the same name.
    package func add(_ source: @escaping @Sendable () -> [MetricFamily]) {
        state.withLock { $0.sources.append(source) }
    }

    /// Returns all metrics in the text format 0.0.4, sorted by name.
    package func render() -> String {
        let (kept, sources) = state.withLock { state in (state.families, state.sources) }
        var families: [String: MetricFamily] = [:]
        for (name, family) in kept {
            families[name] = MetricFamily(
                name: name, kind: family.kind, help: descriptions[name]?.help, samples: Self.samples(of: family))
        }
        for family in sources.flatMap({ $0() }) + [droppedSeries] where families[family.name] == nil {
            families[family.name] = family
        }
        return PrometheusText.render(families.values.sorted { $0.name < $1.name })
    }

    private static func samples(of family: Family) -> [MetricFamily.Sample] {
        let sorted = family.series.sorted { left, right in
            left.key.lexicographicallyPrecedes(right.key) { ($0.name, $0.value) < ($1.name, $1.value) }
        }
        return sorted.flatMap { labels, series in
            series.samples.map { .init(suffix: $0.suffix, labels: labels + $0.labels, value: $0.value) }
        }
    }

    private var droppedSeries: MetricFamily {
        MetricFamily(
            Self.droppedSeriesName, .counter, Double(state.withLock { $0.droppedSeries }),
            help: "Series that were refused because there were too many, or their name was another metric's.")
    }

    // MARK: Conformance to MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) { _ in CounterSeries() } ?? Self.refused
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter) { _ in CounterSeries() } ?? Self.refused
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) { _ in GaugeSeries() } ?? Self.refused
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, .gauge) { _ in GaugeSeries() } ?? Self.refused }
        return series(label, dimensions, .histogram) { HistogramSeries(bounds: $0) } ?? Self.refused
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram) { HistogramSeries(bounds: $0) } ?? Self.refused
    }

    /// The placeholder for a refused series, which ignores all values.
    private static let refused = NOOPMetricsHandler.instance

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    // MARK: Storage of the series

    /// Returns the series with this name and these labels, and creates it if necessary; `nil` if it is refused.
    private func series<Series: MetricSeries>(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricKind, make: @Sendable ([Double]) -> Series
    ) -> Series? {
        let name = MetricName.of(label)
        let labels = MetricName.labels(of: dimensions)
        let buckets = descriptions[name]?.buckets ?? MetricDescription.seconds
        return state.withLock { state in
            var family = state.families[name] ?? Family(kind: kind)
            if family.kind == kind, let known = family.series[labels] as? Series { return known }
            guard family.kind == kind, family.series.count < Self.maxSeries,
                !family.series.isEmpty || (state.families.count < Self.maxFamilies && isFree(name, kind, in: state))
            else {
                state.droppedSeries += 1
                return nil
            }
            let made = make(buckets)
            family.series[labels] = made
            state.families[name] = family
            return made
        }
    }

    /// Returns whether no other metric uses any of the names of a metric. A histogram has three names in addition to
    /// its own.
    private func isFree(_ name: String, _ kind: MetricKind, in state: State) -> Bool {
        let parts = ["_bucket", "_sum", "_count"]
        if name == Self.droppedSeriesName { return false }
        if kind == .histogram, parts.contains(where: { state.families[name + $0] != nil }) { return false }
        return !parts.contains { part in
            name.hasSuffix(part) && state.families[String(name.dropLast(part.count))]?.kind == .histogram
        }
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                guard let labels = family.series.first(where: { $0.value === handler })?.key else { continue }
                state.families[name]?.series[labels] = nil
                // The last series is removed, so the name is free again.
                if family.series.count == 1 { state.families[name] = nil }
                return
            }
        }
    }
}
