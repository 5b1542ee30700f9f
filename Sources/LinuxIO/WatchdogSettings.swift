import Glibc

/// The watchdog of a service manager: the daemon must send a message within each interval, or the manager kills it
/// (sd_watchdog_enabled(3)).
package enum WatchdogSettings {
    /// Returns the interval of the watchdog; `nil` if the manager watches no process, or another process.
    ///
    /// - Parameter environment: Returns the value of a variable; `nil` without the variable.
    package static func interval(
        processIdentifier: Int32 = getpid(),
        environment: (String) -> String? = { unsafe getenv($0).map { unsafe String(cString: $0) } }
    ) -> Duration? {
        guard let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init), microseconds > 0 else { return nil }
        if let owner = environment("WATCHDOG_PID"), owner != "\(processIdentifier)" { return nil }
        return .microseconds(microseconds)
    }
}
