import CoreMetrics
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

/// A placeholder for a refused series, which ignores all values.
final class UncountedSeries: CounterHandler, FloatingPointCounterHandler, RecorderHandler, MeterHandler, TimerHandler {
    func increment(by amount: Int64) {}
    func increment(by amount: Double) {}
    func decrement(by amount: Double) {}
    func reset() {}
    func record(_ value: Int64) {}
    func record(_ value: Double) {}
    func set(_ value: Int64) {}
    func set(_ value: Double) {}
    func recordNanoseconds(_ duration: Int64) {}
}
