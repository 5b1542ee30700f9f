import CLinuxShims
import NotificationModel

/// The limit of a process's processor time (`RLIMIT_CPU` in setrlimit(2)), set from the clock that the kernel compares
/// with it.
///
/// The kernel charges whole ticks of the timer (4 ms at 250 Hz) to the process that runs at a tick. What a process has
/// really run (`CLOCK_PROCESS_CPUTIME_ID`) is another clock: over many short bursts the two differ by seconds.
package enum ProcessorTimeLimit {
    /// Processor time that a process has been charged with since its start; zero when it cannot be read.
    package static func charged(to pid: Int32) -> Duration { .nanoseconds(max(0, agd_charged_nanoseconds_of(pid))) }

    /// Sets the soft limit so that the process may be charged at least `time` more, and at most a second beyond that.
    package static func allow(_ time: Duration, to pid: Int32) {
        _ = agd_limit_cpu_of(pid, UInt64(max(1, (charged(to: pid) + time).seconds.rounded(.up))))
    }
}
