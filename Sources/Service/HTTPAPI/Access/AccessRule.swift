import Authentication
import FoundationEssentials
import Glibc
import HTTPTypes
import NIOCore

/// The rule by which a listener admits or refuses requests.
enum AccessRule: Sendable {
    /// The rule of loopback TCP, which checks the `Host` and `Origin` of a request.
    case host
    /// The rule of the unix socket, which checks the user and the groups of the connected process.
    case peer(PeerRule)
    /// The rule of authenticated TCP, which checks the bearer token of a request.
    case token
    /// The rule of the listener for monitoring, which serves metrics and health checks to all callers.
    case monitoring

    /// Whether the listener serves renditions.
    var servesMedia: Bool {
        switch self {
        case .host, .peer, .token: true
        case .monitoring: false
        }
    }

    /// Checks a request against the rule, and returns its caller.
    ///
    /// - Parameter route: The route of the request; `nil` if it has no route.
    /// - Parameter isOpen: Whether the callers of the route are homeservers that need no token.
    func caller(
        of request: HTTPRequest, to route: Route?, isOpen: Bool, over connection: Connection, by control: AccessControl,
        at date: Date
    ) throws(Problem) -> Caller {
        if route?.isPublic == true { return try publicCaller(of: request, over: connection, by: control, at: date) }
        switch self {
        case .host:
            let guardian = DNSRebindingGuard(port: connection.channel.localAddress?.port ?? 0)
            if let refusal = guardian.refusal(of: request) { throw refusal }
            return .local
        case .peer(let rule):
            guard rule.admits(connection.peer) else {
                throw Problem(
                    .forbidden,
                    "Only the daemon's own user, root and its group may use this socket; you are user "
                        + "\(connection.peer.map { "\($0.userID)" } ?? "unknown").")
            }
            var caller = Caller.local
            caller.process = connection.peer?.processID
            return caller
        case .token:
            try Self.checkHost(of: request, over: connection)
            // Health checks and the description of the API need no token.
            if let route, route.scope == nil { return .local }
            if isOpen, request.headerFields[.authorization] == nil { return .homeserver }
            return try control.caller(of: request, at: date)
        case .monitoring:
            try Self.checkHost(of: request, over: connection)
            guard let route, route.isForMonitoring else { throw Self.notForMonitoring }
            return .local
        }
    }

    private static var notForMonitoring: Problem {
        Problem(.notFound, "This address serves only /metrics, /healthz and /readyz.")
    }

    /// Returns the caller of a public route, which a proxy passes on under any `Host` and from any `Origin`.
    private func publicCaller(
        of request: HTTPRequest, over connection: Connection, by control: AccessControl, at date: Date
    ) throws(Problem) -> Caller {
        try Self.checkHost(of: request, over: connection)
        guard servesMedia else { throw Self.notForMonitoring }
        guard case .token = self, request.headerFields[.authorization] != nil else { return .anonymous }
        return try control.caller(of: request, at: date)
    }

    /// Checks that a request has one well-formed `Host` (RFC 9112 §3.2). It may have any name, because the daemon does not
    /// know the names of its machine. HTTP/1.0 has no `Host`.
    private static func checkHost(of request: HTTPRequest, over connection: Connection) throws(Problem) {
        guard try request.readAuthority() == nil, !connection.speaksOldHTTP else { return }
        throw .host("Host is missing.")
    }
}

/// The users that may connect to the unix socket: the daemon's own user, root, and the members of one group.
///
/// A process is a member of the group if its effective group or one of its supplementary groups is that group.
struct PeerRule: Sendable {
    /// The user of this process.
    var ownUserID: UInt32 = geteuid()
    /// The group whose members are admitted; `nil` if no group is admitted.
    var groupID: UInt32?

    init(groupID: UInt32? = nil) { self.groupID = groupID }

    /// Returns whether a process may use the socket.
    ///
    /// - Parameter peer: The credentials of the process; `nil` if the kernel did not report them. Such a process is
    ///   refused.
    func admits(_ peer: PeerCredentials?) -> Bool {
        guard let peer else { return false }
        if peer.userID == ownUserID || peer.userID == 0 { return true }
        return groupID.map { peer.groupID == $0 || peer.otherGroupIDs.contains($0) } ?? false
    }
}
