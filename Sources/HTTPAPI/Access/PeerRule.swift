import Glibc

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
