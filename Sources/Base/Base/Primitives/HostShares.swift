/// A limit on the number of items that are in progress for each host at a time.
///
/// With this limit, the budget of an item begins when its host can serve it. A host without items is removed.
package final class HostShares: Sendable {
    private struct Host {
        let turns: AsyncSemaphore
        /// The number of items that have a permit of this host or wait for one.
        var items = 0
    }

    private let perHost: Int
    private let hosts = Guarded<[String: Host]>([:])

    /// - Parameter perHost: The number of items for each host at a time.
    package init(perHost: Int) { self.perHost = perHost }

    /// The number of hosts with an item that has a permit or waits for one.
    package var hostCount: Int { hosts.withLock(\.count) }

    /// Waits for a permit of a host with its port, calls a function, and releases the permit. The function is called
    /// without a permit if the host is empty, or if the task was cancelled while it waited.
    package func inTurn<Result>(at host: String, _ work: () async -> Result) async -> Result {
        guard !host.isEmpty else { return await work() }
        let turns = hosts.withLock { hosts in
            var entry = hosts[host] ?? Host(turns: AsyncSemaphore(permits: perHost))
            entry.items += 1
            hosts[host] = entry
            return entry.turns
        }
        let hasTurn = await turns.acquire()
        defer {
            if hasTurn { turns.release() }
            hosts.withLock { hosts in
                hosts[host]?.items -= 1
                if hosts[host]?.items == 0 { hosts[host] = nil }
            }
        }
        return await work()
    }
}
