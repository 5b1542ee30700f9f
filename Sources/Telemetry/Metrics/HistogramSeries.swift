import CoreMetrics
import NotificationModel
import Primitives

/// A series that counts the values up to each bound. Timers record nanoseconds, and the samples are in seconds.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct State {
        /// The number of values in each bucket. The last bucket is for values above all bounds.
        var counts: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Guarded<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Guarded(State(counts: [Int](repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    var samples: [MetricFamily.Sample] {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        var samples: [MetricFamily.Sample] = []
        var cumulative = 0
        for (index, count) in counts.enumerated() {
            cumulative += count
            let bound = index < bounds.count ? PrometheusText.number(bounds[index]) : "+Inf"
            samples.append(
                .init(suffix: "_bucket", labels: [.init(name: "le", value: bound)], value: Double(cumulative)))
        }
        samples.append(.init(suffix: "_sum", value: sum))
        samples.append(.init(suffix: "_count", value: Double(cumulative)))
        return samples
    }
}
