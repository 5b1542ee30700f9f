import Base
import CoreMetrics
import NotificationModel
import Synchronization

/// The numbers of one metric with one set of labels. A sample is recorded with atomic operations, so that threads do not
/// wait for each other.
protocol MetricSeries: AnyObject, Sendable {
    /// The samples, without the labels that all of them share.
    var samples: [MetricFamily.Sample] { get }
}

/// A counter, which only increases, by whole or fractional amounts.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    /// The sum of the whole amounts, which nearly all amounts are.
    private let whole = Atomic(0)
    private let fractional = AtomicDouble()

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        whole.wrappingAdd(Int(amount), ordering: .relaxed)
    }

    /// Adds an amount. An amount that is negative or not finite is ignored.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        fractional.add(amount)
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fractional.set(0)
    }

    var samples: [MetricFamily.Sample] {
        [.init(value: Double(whole.load(ordering: .relaxed)) + fractional.value)]
    }
}

/// A gauge: the last value that was set, plus later increments and minus later decrements.
final class GaugeSeries: MetricSeries, RecorderHandler, MeterHandler {
    private let value = AtomicDouble()

    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.set(value) }
    func increment(by amount: Double) { if amount.isFinite { value.add(amount) } }
    func decrement(by amount: Double) { increment(by: -amount) }

    var samples: [MetricFamily.Sample] { [.init(value: value.value)] }
}

/// A series that counts the values up to each bound. Timers record nanoseconds, and the samples are in seconds.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    /// The values of one bucket.
    private final class Bucket: Sendable {
        let count = Atomic(0)
    }

    private let bounds: [Double]
    /// The bucket of each bound, and a last one for values above all bounds.
    private let buckets: [Bucket]
    private let sum = AtomicDouble()

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Bucket() }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        buckets[place].count.wrappingAdd(1, ordering: .relaxed)
        sum.add(value)
    }

    /// The samples. The count is the sum of the buckets, so both agree while other threads record values.
    var samples: [MetricFamily.Sample] {
        MetricFamily.Sample.histogram(
            bounds: bounds, counts: buckets.map { $0.count.load(ordering: .relaxed) }, sum: sum.value)
    }
}

extension MetricFamily.Sample {
    /// Returns the samples of a histogram.
    ///
    /// - Parameter counts: The number of values in each bucket. The last bucket is for values above all bounds.
    package static func histogram(
        bounds: [Double], counts: [Int], sum: Double, labels: [MetricLabel] = []
    ) -> [MetricFamily.Sample] {
        var samples: [MetricFamily.Sample] = []
        var cumulative = 0
        for (index, count) in counts.enumerated() {
            cumulative += count
            let bound = index < bounds.count ? PrometheusText.number(bounds[index]) : "+Inf"
            samples.append(
                .init(suffix: "_bucket", labels: labels + [.init(name: "le", value: bound)], value: Double(cumulative))
            )
        }
        samples.append(.init(suffix: "_sum", labels: labels, value: sum))
        samples.append(.init(suffix: "_count", labels: labels, value: Double(cumulative)))
        return samples
    }
}

/// A number that several threads change at the same time.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func add(_ amount: Double) {
        var known = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: known) + amount).bitPattern
            let (isExchanged, found) = bits.weakCompareExchange(expected: known, desired: sum, ordering: .relaxed)
            if isExchanged { return }
            known = found
        }
    }
}

/// The counters of one metric by a key, from which their labels follow. A counter is created at its first use, so that
/// labels are made once and not for each event. The program chooses the keys, so they are few.
package final class CounterTable<Key: Hashable & Sendable>: Sendable {
    private let name: String
    private let labels: @Sendable (Key) -> [(String, String)]
    private let counters = Guarded<[Key: Counter]>([:])

    package init(_ name: String, labels: @escaping @Sendable (Key) -> [(String, String)]) {
        self.name = name
        self.labels = labels
    }

    package func increment(_ key: Key) { counter(key).increment() }

    private func counter(_ key: Key) -> Counter {
        counters.withLock { counters in
            if let counter = counters[key] { return counter }
            let counter = Counter(label: name, dimensions: labels(key))
            counters[key] = counter
            return counter
        }
    }
}
