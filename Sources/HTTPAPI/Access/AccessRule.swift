import Glibc
import HTTPTypes
import NIOCore

/// The rule by which a listener admits or refuses requests.
enum AccessRule: Sendable {
    /// The rule of loopback TCP, which checks the `Host` and `Origin` of a request.
    case host
    /// The rule of the unix socket, which checks the user and the groups of the connected process.
    case peer(PeerRule)

    /// Checks a request against the rule.
    ///
    /// - Returns: The response to a refused request; `nil` if the request is admitted.
    func refusal(of request: HTTPRequest, over connection: Connection) -> Problem? {
        switch self {
        case .host:
            return DNSRebindingGuard(port: connection.channel.localAddress?.port ?? 0).refusal(of: request)
        case .peer(let rule):
            guard rule.admits(connection.peer) else {
                return Problem(
                    .forbidden,
                    "Only the daemon's own user, root and its group may use this socket; you are user "
                        + "\(connection.peer.map { "\($0.userID)" } ?? "unknown").")
            }
            return nil
        }
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
