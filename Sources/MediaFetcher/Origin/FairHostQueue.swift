import DequeModule

/// Whose transfers run and whose wait: so many in all and to one host, hosts in turns. Without clocks, threads and
/// waiters: those are the gate's.
///
/// A transfer that stands still gives its place to others and keeps its connection, as far as there is room for standing
/// ones: neither a host that hangs keeps others from being asked, nor a few hanging files of a host its good ones.
final class FairHostQueue {
    struct Limits: Equatable {
        var total: Int
        var perHost: Int
        /// Standing transfers, besides the others.
        var stalled: Int
        var stalledPerHost: Int
    }

    fileprivate final class Host {
        let name: String
        var active = 0
        var stalled = 0
        /// In the order of their coming; those who left are taken out when it is their turn.
        var line = Deque<Permit>()
        /// Transfers that its connections carry at a time.
        var most = Int.max
        /// Stands in `turns`.
        var isQueued = false

        init(name: String) { self.name = name }

        func hasRoom(_ limits: Limits) -> Bool { active < min(limits.perHost, most) }
    }

    /// What a transfer has of the line from its coming to its end. Only the line looks into it.
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
        /// It was given back.
        case left
    }

    private var limits: Limits
    private(set) var active = 0
    private(set) var stalled = 0
    private var hosts: [String: Host] = [:]
    /// Hosts that have somebody waiting and room for them, each once.
    private var turns = Deque<Host>()

    init(limits: Limits) { self.limits = limits }

    /// Hosts that anything is known of.
    var hostCount: Int { hosts.count }

    /// - Returns: those that may begin now.
    func change(_ limits: Limits) -> [Permit] {
        self.limits = limits
        for host in hosts.values { enqueue(host) }
        return grant()
    }

    /// - Parameter most: transfers that the host may have at a time from now on, if that is fewer than the limits allow.
    /// - Returns: a ticket, which is to be given back in any case, and whether the transfer may begin at once.
    func enter(_ name: String, most: Int = .max) -> (permit: Permit, isGranted: Bool) {
        let permit = Permit(host(name))
        permit.host.most = most
        // Where there is room nobody waits: it is given away when it comes.
        if hasRoom(for: permit) {
            begin(permit)
            return (permit, true)
        }
        permit.host.line.append(permit)
        enqueue(permit.host)
        return (permit, false)
    }

    /// Whether a transfer to the host of the ticket might begin.
    func hasRoom(for permit: Permit) -> Bool { active < limits.total && permit.host.hasRoom(limits) }

    private func host(_ name: String) -> Host {
        if let host = hosts[name] { return host }
        let host = Host(name: name)
        hosts[name] = host
        return host
    }

    /// The transfer has ended, or does not want to wait any longer.
    ///
    /// - Returns: those that may begin now.
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

    /// - Returns: those that may begin now.
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

    /// It takes its place again, whether there is one or not.
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

    /// A host of which nothing is left costs nothing.
    private func forget(_ host: Host) {
        guard host.active == 0, host.stalled == 0, !host.isQueued,
            !host.line.contains(where: { $0.state == .waiting })
        else { return }
        hosts[host.name] = nil
    }
}
