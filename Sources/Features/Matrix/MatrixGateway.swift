import Authentication
package import Base
import CoreMetrics
package import HTTPAPI
package import HTTPTypes
package import HummingbirdCore
package import Logging
package import NotificationModel
package import ServiceConfiguration

/// The push gateway for homeservers of Matrix and SDN: its settings, which a reload changes, and the record of devices
/// for which it makes no request (Matrix specification, "Push Gateway API").
///
/// A homeserver works through the events of a pusher in their order. Any response but 200 stops the pusher, for up to an
/// hour, and a push key in `rejected` deletes the pusher (Synapse, `synapse/push/httppusher.py`). For this reason a
/// device that cannot be used is recorded, and its homeserver gets 200.
///
/// To add a new value of pushes, do this: read it in `MatrixPush`, and write it into the envelope of the device. The
/// envelope repeats the notification as its payload, so `MatrixDialect` reads the values that are a part of the
/// content. A new reason for which a device gets no request is a case of `MatrixPush.Unusable`.
package final class MatrixGateway: ForeignAPI {
    package struct Settings: Sendable {
        fileprivate var access: MatrixGatewayAccess
        /// Further paths of the gateway.
        fileprivate var paths: Set<String>
        fileprivate var apps: MatrixApps
        /// The maximum number of unfinished requests of all callers without a token.
        fileprivate var maxOpen: Int

        package init(
            access: MatrixGatewayAccess = .token, paths: [String] = [], apps: MatrixApps = MatrixApps(),
            maxOpen: Int = 8_192
        ) {
            (self.access, self.paths, self.apps, self.maxOpen) = (access, Set(paths), apps, maxOpen)
        }
    }

    private struct State {
        var settings: Settings
        /// The paths of the daemon's routes, which take precedence over the further paths.
        var reserved: [PathPattern] = []
        /// The further paths that are served.
        var servedPaths: Set<String> = []

        mutating func findServedPaths() {
            servedPaths = (settings.access == .off ? [] : settings.paths).filter { path in
                guard let target = try? RequestTarget(path) else { return false }
                return !reserved.contains { $0.matches(target.segments) }
            }
        }
    }

    /// The path of the Matrix specification.
    static let path: PathPattern = "/_matrix/push/v1/notify"
    /// The path that SDN's SDK recommends ("Push Notifications" in its README).
    static let otherPath: PathPattern = "/_api/push/v1/notify"
    /// The maximum number of devices of a push. Homeservers send a push for each device.
    static let maxDevices = 64
    /// The maximum size of a body, in bytes. An event has at most 65,536 bytes.
    static let maxBytes = 1 << 20

    /// The help texts of the metrics, by the name of the metric.
    package static let meanings = [
        "appgroupd_matrix_devices_total": "Devices of pushes from homeservers, by what became of them."
    ]

    /// The result of one device, as `/metrics` shows it.
    enum DeviceResult: String, Sendable {
        /// The request is durable.
        case accepted
        /// An earlier request has the id.
        case joined
        /// The push key is dead.
        case rejected
        case unusable
    }

    private let state: Guarded<State>
    private let limiter = CallLimiter()
    private let warnings: Guarded<RateLimitedWarnings>
    /// Returns whether a push key of an app group is dead, so that its homeserver removes it.
    let isDead: @Sendable (AppGroupName, String) async -> Bool

    /// - Parameter isDead: A function that returns whether a push key of an app group is dead.
    package init(
        _ settings: Settings = Settings(), logger: Logger = Logger(label: "appgroupd"),
        isDead: @escaping @Sendable (AppGroupName, String) async -> Bool = { _, _ in false }
    ) {
        state = Guarded(State(settings: settings))
        warnings = Guarded(RateLimitedWarnings { logger.notice("\($0)") })
        self.isDead = isDead
    }

    package func change(_ settings: Settings) {
        state.withLock { state in
            state.settings = settings
            state.findServedPaths()
        }
    }

    var apps: MatrixApps { state.withLock(\.settings.apps) }

    /// Refuses a call if the gateway is switched off.
    func checkAccess() throws(Problem) {
        guard state.withLock({ $0.settings.access == .off }) else { return }
        throw Problem(.notFound, "The push gateway is switched off (matrix.gateway).")
    }

    package func reserve(_ paths: [PathPattern]) {
        state.withLock { state in
            state.reserved = paths
            state.findServedPaths()
        }
    }

    /// Returns the response to a problem. Homeservers stop a pusher for good after a 4xx response, and the body of the next
    /// push may be readable, so a compressed body is answered as a push without devices.
    package func response(to problem: Problem) -> Response {
        guard problem.kind != .encoded else {
            record(.unusable, "the body is compressed", at: .now)
            return .json(["rejected": []])
        }
        return MatrixError(problem).response
    }
    package var errorDescription: JSONValue { MatrixError.description }
    package var components: JSONObject { MatrixError.schemas }

    /// Returns the request with the gateway's own path in place of a further path.
    package func resolved(_ head: HTTPRequest) -> HTTPRequest {
        let paths = state.withLock(\.servedPaths)
        guard !paths.isEmpty, let target = head.path, paths.contains(Self.path(of: target)) else { return head }
        var head = head
        head.path = Self.path.description
        return head
    }

    /// Returns whether a target is one of the gateway's, or below `/_matrix/`. Its errors then have Matrix's form.
    package func answers(_ target: String) -> Bool {
        let path = Self.path(of: target)
        return path.hasPrefix("/_matrix/") || path == Self.otherPath.description
            || state.withLock(\.servedPaths).contains(path)
    }

    private static func path(of target: String) -> String { String(target.prefix { $0 != "?" }) }

    // MARK: Callers without a token

    /// Returns whether the callers of a target need no token.
    package func isOpen(_ target: String) -> Bool { state.withLock({ $0.settings.access == .open }) && answers(target) }

    /// Counts a request of a caller without a token. These callers together have a share of the queue, so that they
    /// cannot keep out the callers with tokens.
    ///
    /// - Returns: A permit, which is held until the result is published.
    func permit(at now: MonotonicInstant) throws(Problem) -> CallPermit? {
        var caller = Caller.homeserver
        caller.limits.concurrent = state.withLock(\.settings.maxOpen)
        do throws(CallLimiter.Refusal) { return try limiter.admit(caller, at: now) } catch {
            throw Problem(
                .limited, "Too many requests of callers without a token are unfinished. Try again in 1 s.",
                headers: [.retryAfter: "1"])
        }
    }

    // MARK: The record of devices

    /// Counts a device. If it gets no request, the reason is logged, at most once a minute for each reason. The log has
    /// neither texts nor push keys.
    func record(_ result: DeviceResult, _ reason: String? = nil, at now: MonotonicInstant) {
        Counter(label: "appgroupd_matrix_devices_total", dimensions: [("result", result.rawValue)]).increment()
        guard let reason else { return }
        warnings.withLock { warnings in
            warnings.report(reason, "a device of a homeserver's push gets no result: \(reason)", at: now)
        }
    }
}

extension MatrixGateway.Settings {
    /// Creates the settings of the push gateway for homeservers.
    package init(_ configuration: Configuration) {
        // Callers without a token have at most half of the queue.
        self.init(
            access: configuration.matrix.gateway, paths: configuration.matrix.paths, apps: configuration.matrixApps,
            maxOpen: max(1, (configuration.requests.inFlight + configuration.requests.queued) / 2))
    }
}
