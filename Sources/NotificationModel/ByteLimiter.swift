/// A limit on the number of bytes that are in use at a time. It grants leases in the order of their requests.
///
/// Large payloads share one limiter, so that no number of callers can fill the memory. A lease is released with its
/// last reference.
package final class ByteLimiter: Sendable {
    private typealias Turn = CheckedContinuation<ByteLease?, Never>

    private struct State {
        var free: Int
        var lastID = 0
        /// The waiters, the oldest first.
        var waiters: [(id: Int, count: Int, turn: Turn)] = []
    }

    /// The maximum number of bytes that one payload may need. Callers refuse a payload that needs more.
    package let most: Int
    private let limit: Int
    private let state: Guarded<State>

    /// - Parameter limit: The number of bytes that may be in use at a time. A lease of a larger number gets all of
    ///   these bytes.
    package init(limit: Int, most: Int = .max) {
        self.limit = limit
        self.most = most
        state = Guarded(State(free: limit))
    }

    /// Returns a lease if enough bytes are free and no caller waits for bytes; otherwise `nil`.
    package func lease(_ count: Int) -> ByteLease? {
        let count = min(count, limit)
        let isGranted = state.withLock { state in
            guard state.waiters.isEmpty, state.free >= count else { return false }
            state.free -= count
            return true
        }
        return isGranted ? ByteLease(count, of: self) : nil
    }

    /// Waits for a lease. Returns `nil` after `patience`, or when the task is cancelled.
    package func lease(_ count: Int, within patience: Duration, on clock: any RequestClock) async -> ByteLease? {
        if let lease = lease(count) { return lease }
        return await withTaskGroup(of: ByteLease?.self) { group in
            group.addTask { await self.turn(min(count, self.limit)) }
            group.addTask {
                await clock.sleep(until: clock.now.advanced(by: patience))
                return nil
            }
            var lease = await group.next().flatMap(\.self)
            group.cancelAll()
            // The limiter may have granted the lease when the wait ended.
            for await late in group where late != nil { lease = late }
            return lease
        }
    }

    /// Waits for a lease until the task is cancelled.
    ///
    /// - Returns: A lease; `nil` if the task was cancelled.
    package func leaseWhenFree(_ count: Int) async -> ByteLease? { await turn(min(count, limit)) }

    private func turn(_ count: Int) async -> ByteLease? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let isOver = state.withLock { state in
                    // The lock orders this check and the handler below, which otherwise could miss the waiter.
                    if Task.isCancelled { return true }
                    state.waiters.append((id, count, turn))
                    return false
                }
                if isOver { turn.resume(returning: nil) } else { release(0) }
            }
        } onCancel: {
            let turn = state.withLock { state -> Turn? in
                guard let place = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiters.remove(at: place).turn
            }
            turn?.resume(returning: nil)
            // The next waiter may need fewer bytes, which may be free.
            release(0)
        }
    }

    fileprivate func release(_ count: Int) {
        let granted = state.withLock { state in
            state.free += count
            var granted: [(count: Int, turn: Turn)] = []
            while let first = state.waiters.first, first.count <= state.free {
                state.free -= first.count
                granted.append((first.count, first.turn))
                state.waiters.removeFirst()
            }
            return granted
        }
        for (count, turn) in granted { turn.resume(returning: ByteLease(count, of: self)) }
    }
}

/// A share of a limiter's bytes. It is released by `release`, or with the last reference to the lease.
package final class ByteLease: Sendable {
    private let count: Guarded<Int>
    private let limiter: ByteLimiter

    fileprivate init(_ count: Int, of limiter: ByteLimiter) {
        self.count = Guarded(count)
        self.limiter = limiter
    }

    /// Returns the bytes to the limiter. A second call has no effect.
    package func release() {
        let count = count.withLock { count in
            defer { count = 0 }
            return count
        }
        if count > 0 { limiter.release(count) }
    }

    deinit { release() }
}
