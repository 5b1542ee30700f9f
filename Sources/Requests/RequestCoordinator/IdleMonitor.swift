package import Base
package import NotificationModel

/// A monitor of idle times, in which no request runs. It starts maintenance that would otherwise delay requests.
///
/// Refused requests use memory too, but are not counted as accepted. The monitor detects them by their processor time,
/// and the end of many idle connections by the memory that it frees.
package struct IdleMonitor: Sendable {
    package static let interval = Duration.seconds(10)
    /// The processor time after which requests have probably been handled. A process that only waits uses less.
    package static let work = Duration.milliseconds(250)

    /// The number of freed bytes after which idle connections have probably ended.
    package static let freed = 8 << 20

    private let load: @Sendable () -> RequestLoad
    private let processorTime: @Sendable () -> Duration
    private let freeBytes: @Sendable () -> Int
    private let clock: any RequestClock
    private let use: @Sendable () async -> Void

    /// - Parameter load: A function that returns the current load of requests.
    /// - Parameter processorTime: A function that returns the processor time that this process has used.
    /// - Parameter freeBytes: A function that returns the number of free bytes in the heaps.
    /// - Parameter use: A function that is called in the first idle time. It is called in a later idle time if requests
    ///   were accepted, if the process used the processor time `work`, or if it freed the bytes `freed`, since its last
    ///   call.
    package init(
        of load: @escaping @Sendable () -> RequestLoad, processorTime: @escaping @Sendable () -> Duration,
        freeBytes: @escaping @Sendable () -> Int, clock: any RequestClock, use: @escaping @Sendable () async -> Void
    ) {
        self.load = load
        self.processorTime = processorTime
        self.freeBytes = freeBytes
        self.clock = clock
        self.use = use
    }

    /// Monitors the load until the task is cancelled.
    package func run() async {
        var last: (accepted: Int, processorTime: Duration, freeBytes: Int)?
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: Self.interval))
            let load = load()
            guard !Task.isCancelled, load.running == 0, load.queued == 0 else { continue }
            let free = freeBytes()
            if let before = last?.freeBytes, free < before { last?.freeBytes = free }
            if let last, load.accepted == last.accepted, processorTime() - last.processorTime < Self.work,
                free - last.freeBytes < Self.freed
            {
                continue
            }
            await use()
            last = (load.accepted, processorTime(), free)
        }
    }
}
