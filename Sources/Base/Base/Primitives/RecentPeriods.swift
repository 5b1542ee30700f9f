/// The values of the present period and of the period before it, so that a report covers one to two periods up to now.
///
/// Older values are dropped as a whole. A report thus describes the present state, and the memory does not grow with the
/// time.
package struct RecentPeriods<Value: Sendable>: Sendable {
    package let length: Duration
    package private(set) var previous: Value?
    package private(set) var current: Value
    private var start: MonotonicInstant
    private let empty: @Sendable () -> Value

    package init(of length: Duration, at now: MonotonicInstant, _ empty: @escaping @Sendable () -> Value) {
        self.length = length
        self.empty = empty
        start = now
        current = empty()
    }

    /// Changes the value of the present period, and begins it if the last one has ended.
    package mutating func change<Result>(at now: MonotonicInstant, _ body: (inout Value) -> Result) -> Result {
        turn(at: now)
        return body(&current)
    }

    /// Changes both values, for example to remove an entry.
    package mutating func changeAll(_ body: (inout Value) -> Void) {
        body(&current)
        if var value = previous {
            body(&value)
            previous = value
        }
    }

    /// Begins another period if the present one has ended, and returns whether it has.
    @discardableResult package mutating func turn(at now: MonotonicInstant) -> Bool {
        let age = start.duration(to: now)
        guard age >= length else { return false }
        previous = age < length + length ? current : nil
        current = empty()
        start = now
        return true
    }

    /// Returns the time up to now that both periods cover.
    package func covered(at now: MonotonicInstant) -> Duration {
        start.duration(to: now) + (previous == nil ? .zero : length)
    }
}
