package import Base
package import NotificationModel

/// A monitor of idle times, in which no request runs. It starts maintenance that would otherwise delay requests.
///
/// Refused requests use memory too, but are not counted as accepted. The monitor detects them by their processor time.
package struct IdleMonitor: Sendable {
    package static let interval = Duration.seconds(10)
    /// The processor time after which requests have probably been handled. A process that only waits uses less.
    package static let work = Duration.milliseconds(250)

    private let load: @Sendable () -> RequestLoad
    private let processorTime: @Sendable () -> Duration
    private let clock: any RequestClock
    private let use: @Sendable () async -> Void

    /// - Parameter load: A function that returns the current load of requests.
    /// - Parameter processorTime: A function that returns the processor time that this process has used.
    /// - Parameter use: A function that is called in the first idle time. It is called in a later idle time if requests
    ///   were accepted, or if the process used the processor time `work`, since its last call.
    package init(
        of load: @escaping @Sendable () -> RequestLoad, processorTime: @escaping @Sendable () -> Duration,
        clock: any RequestClock, use: @escaping @Sendable () async -> Void
    ) {
        self.load = load
        self.processorTime = processorTime
        self.clock = clock
        self.use = use
    }

    /// Monitors the load until the task is cancelled.
    package func run() async {
        var last: (accepted: Int, processorTime: Duration)?
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: Self.interval))
            let load = load()
            guard !Task.isCancelled, load.running == 0, load.queued == 0 else { continue }
            if let last, load.accepted == last.accepted, processorTime() - last.processorTime < Self.work { continue }
            await use()
            last = (load.accepted, processorTime())
        }
    }
}
