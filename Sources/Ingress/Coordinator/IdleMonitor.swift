package import NotificationModel

/// The times in which nothing is under way after something was: for what would keep requests waiting.
///
/// What is refused leaves memory too, and no request tells of it: the processor does.
package struct IdleMonitor: Sendable {
    /// How often it looks.
    package static let interval = Duration.seconds(10)
    /// So much of the processor's time is no mere waiting.
    package static let work = Duration.milliseconds(250)

    private let load: @Sendable () -> RequestLoad
    private let processorTime: @Sendable () -> Duration
    private let clock: any RequestClock
    private let use: @Sendable () async -> Void

    /// - Parameters:
    ///   - load: what is under way now.
    ///   - processorTime: that this process has used.
    ///   - use: called in the first quiet time, and then in each before which requests were accepted, or `work` was done.
    package init(
        of load: @escaping @Sendable () -> RequestLoad, processorTime: @escaping @Sendable () -> Duration,
        clock: any RequestClock, use: @escaping @Sendable () async -> Void
    ) {
        self.load = load
        self.processorTime = processorTime
        self.clock = clock
        self.use = use
    }

    /// Until it is cancelled.
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
