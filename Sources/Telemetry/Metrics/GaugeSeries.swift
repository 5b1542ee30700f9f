import CoreMetrics
import NotificationModel

/// The last value that was set, or what was added and taken away since.
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
