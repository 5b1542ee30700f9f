extension OriginClient {
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
            case .answered: if isProbe { client.tell { $0.restingHosts.succeeded(host) } }
            default: client.tell { $0.note(movement, of: permit, firstTo: isFirst ? host : nil) }
            }
        }
    }

    /// Records the activity of a transfer. `firstHost` is `nil` if the host's connections were known before it.
    private func note(_ movement: TransferActivity, of permit: FairHostQueue.Permit, firstTo firstHost: String?) {
        if let firstHost, movement != .resumed {
            // If the first connection is slow, the other transfers do not wait for it.
            protocols.noteConnection(to: firstHost)
            if let kind = protocols[firstHost] { gate.setMost(kind.mostTransfers, of: permit) }
        }
        switch movement {
        case .connected, .answered: break
        case .stalled: gate.stall(permit)
        case .resumed: gate.resume(permit)
        }
    }
}
