import Glibc
import NIOCore

/// Who is at the other end of a unix socket, as the kernel noted when it connected (unix(7)).
struct PeerCredentials: Sendable, Equatable {
    var processID: Int32
    var userID: UInt32
    var groupID: UInt32
    /// Supplementary ones; none where the peer has more than we look at.
    var otherGroupIDs: Set<UInt32> = []

    /// `nil` where the channel is no unix socket, or has been closed.
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

    /// `SO_PEERGROUPS` (Linux 4.13) fills an array from its beginning; the rest stays zero, and so group 0 is not told
    /// apart from none.
    private typealias Groups = InlineArray<256, UInt32>
    private static let peerGroups: CInt = 59
}
