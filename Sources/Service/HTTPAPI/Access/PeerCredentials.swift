import Glibc
import NIOCore

/// The credentials of the process at the other end of a unix socket. The kernel recorded them when the process
/// connected (unix(7)).
struct PeerCredentials: Sendable, Equatable {
    var processID: Int32
    var userID: UInt32
    var groupID: UInt32
    /// The supplementary groups; empty if the peer has more than 256.
    var otherGroupIDs: Set<UInt32> = []

    /// Reads the credentials of a channel's peer; `nil` if the channel is not a unix socket, or is closed.
    static func read(from channel: any Channel) -> EventLoopFuture<PeerCredentials?> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(nil)
        }
        let owner: EventLoopFuture<Owner> = provider.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        let groups: EventLoopFuture<Groups> = provider.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: peerGroups))
        return owner.and(groups.recover { _ in Groups(repeating: 0) }).map { owner, groups in
            PeerCredentials(
                processID: owner.processID, userID: owner.userID, groupID: owner.groupID,
                otherGroupIDs: Set(groups.indices.map { groups[$0] }).subtracting([0]))
        }.recover { _ in nil }
    }

    /// The layout of `struct ucred`, which Glibc's module does not import.
    private struct Owner: Sendable {
        var processID: Int32
        var userID: UInt32
        var groupID: UInt32
    }

    /// The result of `SO_PEERGROUPS` (Linux 4.13), which fills an array from its beginning. The rest stays zero, so
    /// group 0 cannot be distinguished from a missing group.
    private typealias Groups = InlineArray<256, UInt32>
    private static let peerGroups: CInt = 59
}
