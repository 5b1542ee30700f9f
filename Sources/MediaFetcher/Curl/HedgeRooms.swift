import Synchronization

/// How many second connections there are, whichever threads they are on: they are for single stuck ones; where everything
/// stands still they only add to it. Hosts are in groups.
final class HedgeRooms: Sendable {
    private let rooms = (0..<16).map { _ in HedgeRoom() }

    subscript(host: String) -> HedgeRoom { rooms[Int(UInt(bitPattern: host.hashValue) % UInt(rooms.count))] }
}

/// The second connections to one group of hosts.
final class HedgeRoom: Sendable {
    private static let most = 4

    private let count = Atomic<Int>(0)

    /// - Returns: whether there may be one more.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > Self.most else { return true }
        leave()
        return false
    }

    func leave() { count.subtract(1, ordering: .relaxed) }
}
