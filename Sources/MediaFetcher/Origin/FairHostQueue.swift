import DequeModule

/// A fair queue of transfers: it limits active transfers in all and by host, and hosts take turns. It has no clock and no
/// thread; `HostConcurrencyLimiter` has the waiters.
///
/// A stalled transfer gives its permit to the next one and keeps its connection, up to a limit. A host that stalls
/// therefore delays no other host, and a file that stalls delays no other file of its host.
final class FairHostQueue {
    struct Limits: Equatable {
        var total: Int
        var perHost: Int
        /// Stalled transfers in all, in addition to the active ones.
        var stalled: Int
        var stalledPerHost: Int
    }

    fileprivate final class Host {
        let name: String
        var active = 0
        var stalled = 0
        /// Waiting permits, the oldest first. Permits that were given back are removed when their turn comes.
        var line = Deque<Permit>()
        /// Active transfers that the host may have, if that is fewer than `Limits.perHost`.
        var most: Int
        /// Whether the host is in `turns`.
        var isQueued = false

        init(name: String, most: Int) {
            self.name = name
            self.most = most
        }

        func hasRoom(_ limits: Limits) -> Bool { active < min(limits.perHost, most) }
    }

    /// The permit of one transfer, from its arrival to its end. Only the queue reads its state.
    final class Permit: @unchecked Sendable, Hashable {
        fileprivate let host: Host
        fileprivate var state = PermitState.waiting

        fileprivate init(_ host: Host) { self.host = host }

        static func == (left: Permit, right: Permit) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    fileprivate enum PermitState {
        case waiting
        case active
        case stalled
        /// The permit was given back.
        case left
    }

    private var limits: Limits
    private(set) var active = 0
    private(set) var stalled = 0
    private var hosts: [String: Host] = [:]
    /// Hosts that had a waiting permit and room for it when they were added, each once. Both are checked again when the turn
    /// of the host comes.
    private var turns = Deque<Host>()

    init(limits: Limits) { self.limits = limits }

    /// Number of hosts with an active, stalled or waiting transfer.
    var hostCount: Int { hosts.count }

    /// - Returns: the permits that are granted now.
    func change(_ limits: Limits) -> [Permit] {
        self.limits = limits
        for host in hosts.values { enqueue(host) }
        return grant()
    }

    /// Asks for the permit of a transfer.
    ///
    /// - Parameter most: active transfers that the host may have, if that is fewer than `Limits.perHost` and the host has no
    ///   permit yet; `setMost` changes it later.
    /// - Returns: the permit, which the caller gives back in any case, and whether it is granted at once.
    func enter(_ name: String, most: Int = .max) -> (permit: Permit, isGranted: Bool) {
        let permit = Permit(host(name, most: most))
        // Room is given to waiting permits as soon as it appears, so nobody waits for this one.
        if hasRoom(for: permit) {
            begin(permit)
            return (permit, true)
        }
        permit.host.line.append(permit)
        enqueue(permit.host)
        return (permit, false)
    }

    /// Whether a transfer to the host of the permit could begin.
    func hasRoom(for permit: Permit) -> Bool { active < limits.total && permit.host.hasRoom(limits) }

    private func host(_ name: String, most: Int) -> Host {
        if let host = hosts[name] { return host }
        let host = Host(name: name, most: most)
        hosts[name] = host
        return host
    }

    /// Gives a permit back, because its transfer has ended or its waiter has left.
    ///
    /// - Returns: the permits that are granted now.
    func leave(_ permit: Permit) -> [Permit] {
        let (host, state) = (permit.host, permit.state)
        permit.state = .left
        switch state {
        case .waiting: break
        case .active: release(host)
        case .stalled:
            stalled -= 1
            host.stalled -= 1
        case .left: return []
        }
        forget(host)
        return grant()
    }

    /// Takes a stalled transfer out of the active ones, if there is room for it.
    ///
    /// - Returns: the permits that are granted now.
    func stall(_ permit: Permit) -> [Permit] {
        let host = permit.host
        guard permit.state == .active, stalled < limits.stalled, host.stalled < limits.stalledPerHost else {
            return []
        }
        permit.state = .stalled
        stalled += 1
        host.stalled += 1
        release(host)
        return grant()
    }

    /// Sets how many active transfers the host of a permit may have, if that is fewer than `Limits.perHost`.
    ///
    /// - Returns: the permits that are granted now.
    func setMost(_ most: Int, of permit: Permit) -> [Permit] {
        permit.host.most = most
        enqueue(permit.host)
        return grant()
    }

    /// Makes a stalled transfer active again, beyond the limits if necessary.
    func resume(_ permit: Permit) {
        guard permit.state == .stalled else { return }
        stalled -= 1
        permit.host.stalled -= 1
        begin(permit)
    }

    private func begin(_ permit: Permit) {
        permit.state = .active
        active += 1
        permit.host.active += 1
    }

    private func release(_ host: Host) {
        active -= 1
        host.active -= 1
        enqueue(host)
    }

    private func enqueue(_ host: Host) {
        guard !host.isQueued, !host.line.isEmpty, host.hasRoom(limits) else { return }
        host.isQueued = true
        turns.append(host)
    }

    private func grant() -> [Permit] {
        var granted: [Permit] = []
        while active < limits.total, let host = turns.popFirst() {
            host.isQueued = false
            guard host.hasRoom(limits) else { continue }
            guard let permit = nextWaiting(of: host) else {
                forget(host)
                continue
            }
            begin(permit)
            granted.append(permit)
            enqueue(host)
        }
        return granted
    }

    private func nextWaiting(of host: Host) -> Permit? {
        while let permit = host.line.popFirst() {
            if permit.state == .waiting { return permit }
        }
        return nil
    }

    /// Removes a host without permits.
    private func forget(_ host: Host) {
        guard host.active == 0, host.stalled == 0, !host.isQueued,
            !host.line.contains(where: { $0.state == .waiting })
        else { return }
        hosts[host.name] = nil
    }
}
