/// A limit on the number of bytes that are in use at a time, of which each owner can have a share.
package final class ByteShares: Sendable {
    private struct State {
        var limit: Int
        var taken = 0
        /// The bytes of each owner that has any.
        var owners: [String: Int] = [:]
        /// The tasks that wait, by their numbers. Callers limit the number of these tasks.
        var waiters: [UInt64: Waiter<Void>] = [:]
        var lastNumber: UInt64 = 0

        mutating func add(_ count: Int, by owner: String) {
            taken += count
            owners[owner, default: 0] += count
        }
    }

    /// The share of the limit that one owner can have, from 0 to 1.
    private let share: Double
    private let state: Guarded<State>

    /// - Parameter share: The share of the limit that one owner can have, from 0 to 1.
    package init(limit: Int, share: Double) {
        self.share = share
        state = Guarded(State(limit: limit))
    }

    package var taken: Int { state.withLock(\.taken) }
    package var isFull: Bool { state.withLock { $0.taken >= $0.limit } }

    private func hasRoom(for count: Int, of owner: String, _ state: State) -> Bool {
        state.taken + count <= state.limit
            && state.owners[owner, default: 0] + count <= Int(Double(state.limit) * share)
    }

    /// Takes bytes if the limit and the share of the owner permit them.
    ///
    /// - Parameter orFirst: Whether an owner without any bytes may exceed its share while the limit is not reached.
    package func take(_ count: Int, by owner: String, orFirst: Bool = false) -> Bool {
        state.withLock { state in
            let isFirst = orFirst && state.owners[owner] == nil && state.taken < state.limit
            guard isFirst || hasRoom(for: count, of: owner, state) else { return false }
            state.add(count, by: owner)
            return true
        }
    }

    /// Takes bytes that are in use already.
    package func add(_ count: Int, by owner: String) { state.withLock { $0.add(count, by: owner) } }

    /// Waits until the limit and the share of the owner permit bytes, and takes them. An owner without any bytes gets them
    /// at once, so that the others do not stop it.
    ///
    /// - Parameter whenFull: A function that is called before each wait.
    /// - Returns: `false` if the task is cancelled or the event is signalled. No bytes are taken then.
    package func takeWhenFree(
        _ count: Int, by owner: String, unless stop: AsyncEvent, whenFull: () async -> Void = {}
    ) async -> Bool {
        while !Task.isCancelled, !stop.isSignalled {
            let waiter = Waiter<Void>()
            let number: UInt64? = state.withLock { state in
                if hasRoom(for: count, of: owner, state) || state.owners[owner] == nil {
                    state.add(count, by: owner)
                    return nil
                }
                state.lastNumber += 1
                state.waiters[state.lastNumber] = waiter
                return state.lastNumber
            }
            guard let number else { return true }
            await whenFull()
            let id = stop.whenSignalled { waiter.resume() }
            await waiter.value { $0.resume() }
            stop.forget(id)
            state.withLock { _ = $0.waiters.removeValue(forKey: number) }
        }
        return false
    }

    /// Releases bytes. Waiting tasks try again.
    package func release(_ count: Int, by owner: String) {
        guard count > 0 else { return }
        wake { state in
            state.add(-count, by: owner)
            if state.owners[owner] == 0 { state.owners[owner] = nil }
        }
    }

    package func change(limit: Int) { wake { $0.limit = limit } }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Bytes of an owner, which are released with the last reference.
package final class ByteShare: Sendable {
    private let shares: ByteShares
    private let owner: String
    private let count: Int

    /// - Parameter count: The number of bytes, which the owner has taken.
    package init(_ count: Int, of owner: String, in shares: ByteShares) {
        (self.count, self.owner, self.shares) = (count, owner, shares)
    }

    deinit { shares.release(count, by: owner) }
}
