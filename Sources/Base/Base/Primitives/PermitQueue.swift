import DequeModule

/// The permits of a semaphore and the queue of its waiters, in the order of arrival. The type has no side effects.
package struct PermitQueue: ~Copyable {
    package typealias WaiterToken = UInt64

    package private(set) var free: Int
    private var lastToken: WaiterToken = 0
    /// The tokens in the order of arrival. An abandoned token stays until it is the first, or until more than half
    /// are abandoned.
    private var line: Deque<(token: WaiterToken, count: Int)> = []
    private var waiting: Set<WaiterToken> = []

    package init(permits: Int) { free = permits }

    package var waitingCount: Int { waiting.count }

    package func isWaiting(_ token: WaiterToken) -> Bool { waiting.contains(token) }

    /// Acquires permits if they are free and no token waits.
    package mutating func acquireIfFree(_ count: Int = 1) -> Bool {
        guard waiting.isEmpty, free >= count else { return false }
        free -= count
        return true
    }

    /// Acquires permits, or joins the queue.
    ///
    /// - Returns: `nil` if the permits were free and are acquired; otherwise a token in the queue.
    package mutating func acquire(_ count: Int = 1) -> WaiterToken? {
        if acquireIfFree(count) { return nil }
        lastToken += 1
        line.append((lastToken, count))
        waiting.insert(lastToken)
        return lastToken
    }

    /// Releases permits, which the oldest waiting tokens acquire.
    ///
    /// - Returns: The tokens that have their permits now, the oldest first.
    package mutating func release(_ count: Int = 1) -> [WaiterToken] {
        free += count
        return grant()
    }

    /// Removes a token from the queue. The next tokens may need fewer permits, and then get them.
    ///
    /// - Returns: The tokens that have their permits now; `nil` if the token has its permits or was abandoned before.
    package mutating func abandon(_ token: WaiterToken) -> [WaiterToken]? {
        guard waiting.remove(token) != nil else { return nil }
        if line.count > 2 * waiting.count + 64 { line.removeAll { !waiting.contains($0.token) } }
        return grant()
    }

    /// The number of tokens in memory.
    var ticketCount: Int { line.count }

    private mutating func grant() -> [WaiterToken] {
        var granted: [WaiterToken] = []
        while let first = line.first {
            if waiting.contains(first.token) {
                guard first.count <= free else { break }
                free -= first.count
                waiting.remove(first.token)
                granted.append(first.token)
            }
            line.removeFirst()
        }
        return granted
    }
}
