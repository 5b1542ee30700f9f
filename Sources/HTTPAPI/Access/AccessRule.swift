import Glibc
import HTTPTypes
import NIOCore

/// Who may call, by the way that the call comes in.
enum AccessRule: Sendable {
    case host(names: [String])
    case peer(PeerRule)

    /// - Returns: why the request is refused; `nil`: it is not.
    func refusal(of request: HTTPRequest, over connection: Connection) -> Problem? {
        switch self {
        case .host(let names):
            return DNSRebindingGuard(names: names, port: connection.channel.localAddress?.port ?? 0).refusal(
                of: request)
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

/// Who may speak on the unix socket: our own user, root, and the members of one group.
///
/// A peer is a member by its effective group or by a supplementary one.
struct PeerRule: Sendable {
    var ownUserID: UInt32 = geteuid()
    var groupID: UInt32?

    init(groupID: UInt32? = nil) { self.groupID = groupID }

    /// - Parameter peer: `nil` where the kernel did not say, which is nobody.
    func admits(_ peer: PeerCredentials?) -> Bool {
        guard let peer else { return false }
        if peer.userID == ownUserID || peer.userID == 0 { return true }
        return groupID.map { peer.groupID == $0 || peer.otherGroupIDs.contains($0) } ?? false
    }
}
