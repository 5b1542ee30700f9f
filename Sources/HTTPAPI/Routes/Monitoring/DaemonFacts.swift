import JSON
import NotificationModel
import Primitives

/// The facts about the daemon itself that `/readyz`, `/v1/status` and `/metrics` report.
struct DaemonFacts: Sendable {
    let version: String
    let started: MonotonicInstant
    let phase: @Sendable () -> DaemonPhase
    /// Returns whether accepted requests can currently be made durable.
    let canStore: @Sendable () -> Bool
    /// Returns whether file descriptors for media may currently run out.
    let areDescriptorsShort: @Sendable () -> Bool
    /// Returns the number of app groups that have no inotify watch.
    let scannedGroups: @Sendable () -> Int
    /// Returns the app groups whose new settings are invalid, so that their earlier settings are in force.
    let invalidGroups: @Sendable () -> [String]
    /// Returns the sandbox of the workers; `null` until it is known.
    let sandbox: @Sendable () -> JSONValue
    /// Returns the hosts whose circuit breaker is open, so that no media is fetched from them.
    let restingHosts: @Sendable () -> JSONValue
    let metrics: @Sendable () -> String
    let reports: DaemonReports
    let draining: AsyncEvent

    var isReadyForRequests: Bool { obstacle == nil }
    /// The reason why the daemon is not ready, for `/readyz`; `nil` if it is ready.
    var obstacle: String? {
        guard phase() == .ready, !draining.isSignalled else { return "not ready" }
        guard canStore() else { return "not ready: the journal cannot be written" }
        return areDescriptorsShort()
            ? "not ready: too few file descriptors are free for media: raise LimitNOFILE= or ulimit -n" : nil
    }

    /// The response of `/readyz` while the daemon is ready: a line, and a line for each warning.
    var readiness: String { "ok\n" + watchWarning + groupWarnings }

    /// The maximum number of app groups that are named.
    private static let mostNamed = 20

    private var groupWarnings: String {
        let groups = invalidGroups()
        let named = groups.prefix(Self.mostNamed).map { group in
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
    var isDraining: Bool { phase() == .draining || draining.isSignalled }

    /// - Parameter hasFigures: Whether the state has the figures of the requests of all groups.
    func status(at now: MonotonicInstant, load: RequestLoad, withFigures hasFigures: Bool) -> JSONValue {
        var emitted = JSONObject()
        for outcome in Outcome.allCases { emitted.append(outcome.rawValue, .number(load.emitted[outcome] ?? 0)) }
        return .object([
            "version": .string(version), "uptimeMs": .number(Int(started.duration(to: now).milliseconds)),
            "ready": .bool(isReadyForRequests), "draining": .bool(isDraining),
            "load": hasFigures
                ? [
                    "running": .number(load.running), "queued": .number(load.queued),
                    "accepted": .number(load.accepted), "emitted": .object(emitted),
                ] : .null,
            "recent": hasFigures ? reports.recent() : .null, "workers": hasFigures ? reports.workers() : .null,
            "restingHosts": hasFigures ? restingHosts() : .null,
            "sandbox": sandbox(),
        ])
    }
}

extension JSONValue {
    fileprivate static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}

/// The phases in the life of the daemon.
package enum DaemonPhase: Sendable, Equatable {
    /// The daemon recovers the requests of an earlier daemon.
    case starting
    case ready
    /// The daemon accepts no more requests, and emits those that it has accepted.
    case draining
}
