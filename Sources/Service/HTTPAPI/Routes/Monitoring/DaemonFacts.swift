package import Base
package import NotificationModel

/// The facts about the daemon itself that `/readyz`, `/v1/status` and `/metrics` report, and the reports of its parts for
/// operators: `top`, `status --hosts` and `support-bundle`. Each report is bounded.
package struct DaemonFacts: Sendable {
    /// The largest number of hosts that a report names.
    package static let maxHosts = 100

    let version: String
    let started: MonotonicInstant
    /// Returns whether accepted requests can currently be made durable.
    package var canStore: @Sendable () -> Bool = { true }
    /// Returns whether file descriptors for media may currently run out.
    package var areDescriptorsShort: @Sendable () -> Bool = { false }
    /// Returns whether the worker is of another build than the daemon.
    package var isWorkerOfOtherBuild: @Sendable () -> Bool = { false }
    /// Returns whether the last reload was refused, because the new configuration has an error.
    package var isReloadRefused: @Sendable () -> Bool = { false }
    /// Returns the number of app groups that have no inotify watch.
    package var scannedGroups: @Sendable () -> Int = { 0 }
    /// Returns the app groups whose new settings are invalid, so that their earlier settings are in force.
    package var invalidGroups: @Sendable () -> [String] = { [] }
    /// Returns the sandbox of the workers; `null` until it is known.
    package var sandbox: @Sendable () -> JSONValue = { .null }
    /// Returns the hosts whose circuit breaker is open, so that no media is fetched from them.
    package var restingHosts: @Sendable () -> JSONValue = { .null }
    /// Returns the text of `/metrics`.
    package var metrics: @Sendable () -> String = { "" }
    /// Returns the figures of the last results: their times, and the time that was left until their deadlines.
    package var recent: @Sendable () -> JSONValue = { .null }
    /// Returns the numbers of workers, and of the media that wait for one.
    package var workers: @Sendable () -> JSONValue = { .null }
    /// Returns the first hosts in an order, and the sum of the others.
    package var hosts: @Sendable (HostOrder, _ most: Int) -> JSONValue = { _, _ in .null }
    /// Returns the slowest and the failed requests of the last hour, without texts and names.
    package var samples: @Sendable () -> JSONValue = { .null }

    package init(version: String, _ context: CallContext) { (self.version, started) = (version, context.clock.now) }

    /// Returns the reason why the daemon is not ready, for `/readyz`; `nil` if it is ready.
    func obstacle(in context: CallContext) -> String? {
        guard context.phase() == .ready, !context.draining.isSignalled else { return "not ready" }
        guard canStore() else { return "not ready: the journal cannot be written" }
        guard !isWorkerOfOtherBuild() else {
            return "not ready: the worker is of another build: install both programs from one package, and restart"
        }
        return areDescriptorsShort()
            ? "not ready: too few file descriptors are free for media: raise LimitNOFILE= or ulimit -n" : nil
    }

    /// The response of `/readyz` while the daemon is ready: a line, and a line for each warning.
    var readiness: String { "ok\n" + reloadWarning + watchWarning + groupWarnings }

    private var reloadWarning: String {
        guard isReloadRefused() else { return "" }
        return "The configuration was not reloaded. The earlier one is in force, with its keys. See the log.\n"
    }

    /// The maximum number of app groups that are named.
    private static let maxNamed = 20

    private var groupWarnings: String {
        let groups = invalidGroups()
        let named = groups.prefix(Self.maxNamed).map { group in
            "The new settings of \(group) are invalid. Its earlier settings are in force, if it has any. See the log.\n"
        }
        guard groups.count > named.count else { return named.joined() }
        return named.joined() + "The same applies to \(groups.count - named.count) more app groups.\n"
    }

    private var watchWarning: String {
        let count = scannedGroups()
        guard count > 0 else { return "" }
        return """
            inotify watches are short: \(HumanText.counted(count, "app group")) \(count == 1 ? "is" : "are") looked at each \
            second instead. \
            Raise fs.inotify.max_user_watches

            """
    }

    /// Returns the state of the daemon.
    ///
    /// - Parameter hasFigures: Whether the state has the figures of the requests of all groups.
    func status(in context: CallContext, load: RequestLoad, withFigures hasFigures: Bool) -> JSONValue {
        var emitted = JSONObject()
        for outcome in Outcome.allCases { emitted.append(outcome.rawValue, .number(load.emitted[outcome] ?? 0)) }
        let uptime = started.duration(to: context.clock.now)
        return .object([
            "version": .string(version), "uptimeMs": .number(Int(uptime.milliseconds)),
            "ready": .bool(obstacle(in: context) == nil), "draining": .bool(context.isDraining),
            "load": hasFigures
                ? [
                    "running": .number(load.running), "queued": .number(load.queued),
                    "accepted": .number(load.accepted), "emitted": .object(emitted),
                ] : .null, "recent": hasFigures ? recent() : .null, "workers": hasFigures ? workers() : .null,
            "restingHosts": hasFigures ? restingHosts() : .null, "sandbox": sandbox(),
        ])
    }
}
