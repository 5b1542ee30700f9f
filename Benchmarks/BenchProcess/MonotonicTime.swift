import Glibc

/// A time of the clock that all processes share and that is never set (CLOCK_MONOTONIC), in nanoseconds.
package struct MonotonicTime: Sendable {
    package let nanoseconds: Int64

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
