import Base
import LinuxIO
import NotificationModel

/// The permits of transfers, and the activity of transfers that changes them.
extension OriginClient {
    /// Requests a permit for the transfer, and waits until it is granted or the task is cancelled.
    func waitForPermit(_ fetch: OriginFetch) async {
        fetch.context.listeners.enter(.queue)
        // The first transfer to an https host runs alone, because its connection may carry the other transfers too.
        let (permit, isGranted) = queue.enter(
            fetch.url.hostAndPort, rank: fetch.context.rank, most: kind(of: fetch.url)?.maxTransfers ?? 1)
        fetch.permit = permit
        fetch.context.enter(permit)
        if isGranted { return }
        await LoopConfined(self, on: loop).answer { client, _, waiter in
            client.waiters[permit] = waiter
        } giveUp: { client, _ in
            guard let waiter = client.waiters.removeValue(forKey: permit) else { return }
            client.admit(client.queue.leave(permit))
            waiter.resume()
        }
    }

    func releasePermit(of fetch: OriginFetch) {
        if let permit = fetch.permit { admit(queue.leave(permit)) }
    }

    func admit(_ permits: [FairHostQueue.Permit]) {
        for permit in permits { waiters.removeValue(forKey: permit)?.resume() }
    }

    /// Returns the function that receives the activity of a transfer, on its thread; `nil` without a permit.
    func movement(of fetch: OriginFetch) -> (@Sendable (TransferActivity) -> Void)? {
        guard let permit = fetch.permit else { return nil }
        let client = LoopConfined(self, on: loop)
        let host = fetch.url.hostAndPort
        let (isFirst, isProbe) = (kind(of: fetch.url) == nil, fetch.isProbe)
        return { movement in
            switch movement {
            // The connection of a known host changes nothing. A response matters only if it tests a host whose circuit
            // breaker is open.
            case .connected where !isFirst: break
            case .answered: if isProbe { client.send { $0.cooldowns.succeeded(host) } }
            default: client.send { $0.note(movement, of: permit, firstTo: isFirst ? host : nil) }
            }
        }
    }

    /// Records the activity of a transfer. `firstHost` is `nil` if the host's connections were known before it.
    private func note(_ movement: TransferActivity, of permit: FairHostQueue.Permit, firstTo firstHost: String?) {
        if let firstHost, movement != .resumed {
            // If the first connection is slow, the other transfers do not wait for it.
            protocols.noteConnection(to: firstHost)
            if let kind = protocols[firstHost] { admit(queue.setMost(kind.maxTransfers, of: permit)) }
        }
        switch movement {
        case .connected, .answered: break
        case .stalled: admit(queue.stall(permit))
        case .resumed: queue.resume(permit)
        }
    }
}

extension FairHostQueue.Limits {
    init(_ limits: FetchLimits) {
        self.init(
            total: limits.connections, perHost: limits.connectionsPerHost, stalled: limits.stalled,
            stalledPerHost: limits.stalledPerHost)
    }
}
