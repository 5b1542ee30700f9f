package import NotificationModel

/// The times in which nothing is under way after requests were: for what would keep requests waiting.
package struct QuietTimes: Sendable {
    /// How often it looks.
    package static let interval = Duration.seconds(10)

    private let load: @Sendable () -> DeskLoad
    private let clock: any RequestClock
    private let use: @Sendable () async -> Void

    /// - Parameters:
    ///   - load: what is under way now.
    ///   - use: called in the first quiet time, and then in each before which requests were accepted.
    package init(
        of load: @escaping @Sendable () -> DeskLoad, clock: any RequestClock, use: @escaping @Sendable () async -> Void
    ) {
        self.load = load
        self.clock = clock
        self.use = use
    }

    /// Until it is cancelled.
    package func run() async {
        var accepted: Int?
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: Self.interval))
            let load = load()
            guard !Task.isCancelled, load.running == 0, load.queued == 0, load.accepted != accepted else { continue }
            accepted = load.accepted
            await use()
        }
    }
}
