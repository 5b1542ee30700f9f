import CLinuxShims

/// The machine's clock that is never set (clock_gettime(2), `CLOCK_MONOTONIC`): the same for all its processes.
package enum MonotonicClock {
    package static var microseconds: UInt64 { agd_monotonic_microseconds() }
}
