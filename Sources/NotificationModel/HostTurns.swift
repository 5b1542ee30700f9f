/// A limit on the items that are worked on at a time for each host.
///
/// The budget of an item can so begin when its host has time for it. A host is forgotten when no item of it is left.
package final class HostTurns: Sendable {
    private struct Host {
        let turns: AsyncSemaphore
        /// Items that have a turn or wait for one.
        var items = 0
    }

    private let perHost: Int
    private let hosts = Guarded<[String: Host]>([:])

    /// - Parameter perHost: items at a time for each host.
    package init(perHost: Int) { self.perHost = perHost }

    /// Number of hosts with an item that has a turn or waits for one.
    package var hostCount: Int { hosts.withLock(\.count) }

    /// Waits for the turn at a host, and works in it.
    ///
    /// - Parameters:
    ///   - host: The host with its port. An empty text waits for no turn.
    ///   - work: called without a turn, too, if the task was cancelled while it waited.
    package func inTurn<Result>(at host: String, _ work: () async -> Result) async -> Result {
        guard !host.isEmpty else { return await work() }
        let turns = hosts.withLock { hosts in
            var entry = hosts[host] ?? Host(turns: AsyncSemaphore(permits: perHost))
            entry.items += 1
            hosts[host] = entry
            return entry.turns
        }
        let hasTurn = await turns.acquire(elseWait: {})
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
