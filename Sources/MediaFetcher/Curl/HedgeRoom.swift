import Synchronization

/// How many second connections there are to one group of hosts, whichever threads they are on: they are for single stuck
/// ones; where everything stands still they only add to it.
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
