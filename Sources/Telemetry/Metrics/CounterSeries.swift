import CoreMetrics
import NotificationModel

/// Only goes up; whole and broken amounts alike. Doubles count exactly to 2^53.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let total = Guarded(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    /// What would make it go down, or no number, is left out.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        total.withLock { $0 += amount }
    }

    func reset() { total.withLock { $0 = 0 } }

    var samples: [MetricFamily.Sample] { [.init(value: total.withLock { $0 })] }
}
