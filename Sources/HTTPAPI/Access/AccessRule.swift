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
            return HostAllowlist(names: names, port: connection.channel.localAddress?.port ?? 0).refusal(of: request)
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
