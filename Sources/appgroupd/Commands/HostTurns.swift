import NotificationModel

/// The turns of payloads at the hosts of their media, so that the budget of each can begin when its host has time for it.
final class HostTurns: Sendable {
    private let perHost: Int
    private let hosts = Guarded<[String: AsyncSemaphore]>([:])

    /// - Parameter perHost: payloads at a time for each host.
    init(perHost: Int) { self.perHost = perHost }

    /// Waits for the turn at a host, and works in it.
    ///
    /// - Parameters:
    ///   - host: The host with its port. An empty text waits for no turn.
    ///   - work: called without a turn, too, if the task was cancelled while it waited.
    func inTurn(at host: String, _ work: () async -> Void) async {
        guard !host.isEmpty else { return await work() }
        let turns = hosts.withLock { hosts in
            if let turns = hosts[host] { return turns }
            let turns = AsyncSemaphore(permits: perHost)
            hosts[host] = turns
            return turns
        }
        let hasTurn = await turns.acquire(elseWait: {})
        defer { if hasTurn { turns.release() } }
        await work()
    }
}
