import JSON
import NotificationModel

/// What the daemon tells about itself, and not about its requests.
struct DaemonFacts: Sendable {
    let version: String
    let started: MonotonicInstant
    let phase: @Sendable () -> DaemonPhase
    /// Whether accepted requests can be made durable at the moment.
    let canStore: @Sendable () -> Bool
    /// Whether media may get no descriptors at the moment.
    let areDescriptorsShort: @Sendable () -> Bool
    /// How many app groups have no inotify watch.
    let scannedGroups: @Sendable () -> Int
    /// The sandbox of the workers; `null` until it is known.
    let sandbox: @Sendable () -> JSONValue
    /// The hosts whose media are not asked for at the moment.
    let restingHosts: @Sendable () -> JSONValue
    let metrics: @Sendable () -> String
    let draining: AsyncEvent

    var isReadyForRequests: Bool { obstacle == nil }
    /// Why the daemon is not ready, for `/readyz`; `nil` if it is.
    var obstacle: String? {
        guard phase() == .ready, !draining.isSignalled else { return "not ready" }
        guard canStore() else { return "not ready: the journal cannot be written" }
        return areDescriptorsShort()
            ? "not ready: too few file descriptors are free for media: raise LimitNOFILE= or ulimit -n" : nil
    }

    /// The answer of `/readyz` while the daemon is ready.
    var readiness: String {
        let count = scannedGroups()
        guard count > 0 else { return "ok\n" }
        return """
            ok
            inotify watches are short: \(HumanText.counted(count, "app group")) \(count == 1 ? "is" : "are") looked at each \
            second instead. \
            Raise fs.inotify.max_user_watches

            """
    }
    var isDraining: Bool { phase() == .draining || draining.isSignalled }

    func status(at now: MonotonicInstant, load: RequestLoad) -> JSONValue {
        var emitted = JSONObject()
        for outcome in Outcome.allCases { emitted.append(outcome.rawValue, .number(load.emitted[outcome] ?? 0)) }
        return .object([
            "version": .string(version), "uptimeMs": .number(Int(started.duration(to: now).milliseconds)),
            "ready": .bool(isReadyForRequests), "draining": .bool(isDraining),
            "load": .object([
                "running": .number(load.running), "queued": .number(load.queued), "accepted": .number(load.accepted),
                "emitted": .object(emitted),
            ]),
            "restingHosts": restingHosts(),
            "sandbox": sandbox(),
        ])
    }
}

extension JSONValue {
    fileprivate static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}

/// Where the daemon is in its life.
package enum DaemonPhase: Sendable, Equatable {
    /// What an earlier daemon left is being taken up.
    case starting
    case ready
    /// It takes nothing more, and emits what it has.
    case draining
}
