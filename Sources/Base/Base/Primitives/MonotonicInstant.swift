import CLinuxShims

/// An instant of a clock that is never set and that goes on while the machine sleeps (clock_gettime(2),
/// `CLOCK_BOOTTIME`), in nanoseconds. Instants of one boot can be compared across processes.
///
/// The type does the work of `ContinuousClock.Instant`, with a layout that the compiler knows. Only the standard
/// library knows the size of a `ContinuousClock.Instant`. The program would copy, compare and release values that
/// contain such an instant through tables at run time.
@frozen
public struct MonotonicInstant: InstantProtocol, Sendable {
    /// The time since the machine was started.
    @usableFromInline let nanoseconds: Int64

    @inlinable init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static var now: MonotonicInstant { MonotonicInstant(nanoseconds: agd_nanoseconds_since_boot()) }

    /// Returns the instant after a duration. The result is at most about 292 years from the start of the machine.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
        if overflow { return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max) }
        return MonotonicInstant(nanoseconds: sum)
    }

    public func duration(to other: MonotonicInstant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return Duration(nanoseconds: overflow ? (other < self ? .min : .max) : difference)
    }

    /// Returns the microseconds to another instant, for sums over thousands of instants, for which `Duration` is slow.
    package func microseconds(to other: MonotonicInstant) -> Double {
        (Double(other.nanoseconds) - Double(nanoseconds)) / 1_000
    }

    @inlinable public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    public static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: duration)
    }

    public static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: .zero - duration)
    }

    public static func - (left: MonotonicInstant, right: MonotonicInstant) -> Duration { right.duration(to: left) }
}

extension Duration {
    private static let attosecondsPerNanosecond: Int128 = 1_000_000_000

    /// Creates the same value as `nanoseconds(_:)`, which is not inlined.
    fileprivate init(nanoseconds: Int64) {
        self.init(attoseconds: Int128(nanoseconds) &* Self.attosecondsPerNanosecond)
    }

    /// The whole nanoseconds, clamped to the range of `Int64`.
    package var nanoseconds: Int64 { Int64(clamping: attoseconds / Self.attosecondsPerNanosecond) }
}
