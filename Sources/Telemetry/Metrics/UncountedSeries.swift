import CoreMetrics

/// Stands where a series was refused: takes everything and keeps nothing.
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
