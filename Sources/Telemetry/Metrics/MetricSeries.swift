import CoreMetrics
import NotificationModel
import Primitives

/// The numbers of one metric with one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// The samples, without the labels that all of them share.
    var samples: [MetricFamily.Sample] { get }
}

/// A counter, which only increases, by whole or fractional amounts. A double counts exactly up to 2^53.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let total = Guarded(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    /// Adds an amount. An amount that is negative or not finite is ignored.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        total.withLock { $0 += amount }
    }

    func reset() { total.withLock { $0 = 0 } }

    var samples: [MetricFamily.Sample] { [.init(value: total.withLock { $0 })] }
}

/// A gauge: the last value that was set, plus later increments and minus later decrements.
final class GaugeSeries: MetricSeries, RecorderHandler, MeterHandler {
    private let value = Guarded(0.0)

    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { if amount.isFinite { value.withLock { $0 += amount } } }
    func decrement(by amount: Double) { increment(by: -amount) }

    var samples: [MetricFamily.Sample] { [.init(value: value.withLock { $0 })] }
}

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
