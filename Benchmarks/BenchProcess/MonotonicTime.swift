import Glibc

/// Nanoseconds of the clock that all processes share and nobody sets (CLOCK_MONOTONIC).
package struct MonotonicTime: Sendable {
    package let nanoseconds: Int64

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
