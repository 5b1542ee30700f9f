package import JSON
package import NotificationModel

/// The reports of the daemon's parts for operators: `top`, `status --hosts` and `support-bundle`. Each report is bounded.
package struct DaemonReports: Sendable {
    /// The largest number of hosts that a report names.
    package static let mostHosts = 100

    /// Returns the figures of the last results: their times, and the time that was left until their deadlines.
    var recent: @Sendable () -> JSONValue
    /// Returns the numbers of workers, and of the media that wait for one.
    var workers: @Sendable () -> JSONValue
    /// Returns the first hosts in an order, and the sum of the others.
    var hosts: @Sendable (HostOrder, _ most: Int) -> JSONValue
    /// Returns the slowest and the failed requests of the last hour, without texts and names.
    var samples: @Sendable () -> JSONValue

    package init(
        recent: @escaping @Sendable () -> JSONValue = { .null },
        workers: @escaping @Sendable () -> JSONValue = { .null },
        hosts: @escaping @Sendable (HostOrder, _ most: Int) -> JSONValue = { _, _ in .null },
        samples: @escaping @Sendable () -> JSONValue = { .null }
    ) {
        self.recent = recent
        self.workers = workers
        self.hosts = hosts
        self.samples = samples
    }
}
