import DequeModule

/// A fair queue of transfers. The queue limits the active transfers in total and per host, and hosts take turns.
/// Permits of a higher rank are granted before all permits of a lower rank. The queue has no clock and no thread, and
/// `OriginClient` has the waiters.
///
/// A stalled transfer gives its permit to the next transfer and keeps its connection, up to a limit. A stalled host
/// therefore delays no other host, and a stalled file delays no other file of its host.
final class FairHostQueue {
    struct Limits: Equatable {
        var total: Int
        var perHost: Int
        /// The maximum number of stalled transfers, in addition to the active ones.
        var stalled: Int
        var stalledPerHost: Int
    }

    fileprivate final class Host {
        let name: String
        var active = 0
        var stalled = 0
        /// The waiting permits by rank, the highest rank first. In most cases there is only one rank.
        var lines: [Line] = []
        /// The maximum number of active transfers of the host, if that is less than `Limits.perHost`.
        var most: Int

        init(name: String, most: Int) {
            self.name = name
            self.most = most
        }

        func hasCapacity(_ limits: Limits) -> Bool { active < min(limits.perHost, most) }

        func line(of rank: Int) -> Line {
            if let line = lines.first(where: { $0.rank == rank }) { return line }
            let line = Line(rank)
            lines.insert(line, at: lines.firstIndex { $0.rank < rank } ?? lines.endIndex)
            return line
        }
    }

    /// The permits of one rank that wait for a host.
    fileprivate final class Line {
        let rank: Int
        /// The waiting permits, the oldest first. Permits that are no longer waiting are removed when their turn comes.
        var permits = Deque<Permit>()
        /// Whether the host is in the list of turns of the rank.
        var isQueued = false

        init(_ rank: Int) { self.rank = rank }

        func waits(_ permit: Permit) -> Bool { permit.state == .waiting && permit.rank == rank }
    }

    /// The permit of one transfer, from its arrival to its end. Only the queue reads its state.
    final class Permit: @unchecked Sendable, Hashable {
        fileprivate let host: Host
        fileprivate var rank: Int
        fileprivate var state = PermitState.waiting

        fileprivate init(_ host: Host, rank: Int) {
            self.host = host
            self.rank = rank
        }

        static func == (left: Permit, right: Permit) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    fileprivate enum PermitState {
        case waiting
        case active
        case stalled
        /// The caller has given the permit back.
        case left
    }

    private var limits: Limits
    private(set) var active = 0
    private(set) var stalled = 0
    private var hosts: [String: Host] = [:]
    /// The turns of the hosts by rank, the highest rank first. Each host is added once, when it has a waiting permit
    /// and capacity for it. Both conditions are checked again when the turn of the host comes.
    private var turns: [(rank: Int, hosts: Deque<Host>)] = []

    init(limits: Limits) { self.limits = limits }

    /// The number of hosts with an active, stalled or waiting transfer.
    var hostCount: Int { hosts.count }

    /// Changes the limits for active and stalled transfers, and returns the permits that are granted now.
    func change(_ limits: Limits) -> [Permit] {
        self.limits = limits
        for host in hosts.values { enqueue(host) }
        return grant()
    }

    /// Requests a permit for a transfer, which the caller must give back, and returns whether it is granted at once.
    ///
    /// - Parameter rank: the order among waiting permits (`MediaRank`).
    /// - Parameter most: the maximum number of active transfers of the host, if that is less than `Limits.perHost`. The
    ///   value applies if the host has no permit yet, and `setMost` changes it later.
    func enter(_ name: String, rank: Int = 0, most: Int = .max) -> (permit: Permit, isGranted: Bool) {
        let host = hosts[name] ?? Host(name: name, most: most)
        hosts[name] = host
        let permit = Permit(host, rank: rank)
        // Waiting permits get free capacity at once. If there is capacity now, no permit waits for it.
        let isGranted = hasCapacity(for: permit)
        if isGranted { begin(permit) } else { wait(permit) }
        return (permit, isGranted)
    }

    /// Moves a waiting permit to the end of a higher rank.
    func raise(_ permit: Permit, to rank: Int) {
        guard permit.state == .waiting, permit.rank < rank else { return }
        permit.rank = rank
        wait(permit)
    }

    private func wait(_ permit: Permit) {
        permit.host.line(of: permit.rank).permits.append(permit)
        enqueue(permit.host)
    }

    /// Returns whether a transfer to the host of the permit could begin.
    func hasCapacity(for permit: Permit) -> Bool { active < limits.total && permit.host.hasCapacity(limits) }

    /// Gives a permit back after its transfer or the wait for it, and returns the permits that are granted now.
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

    /// Removes a stalled transfer from the active transfers, if the limits of stalled transfers allow it, and returns
    /// the permits that are granted now.
    func stall(_ permit: Permit) -> [Permit] {
        let host = permit.host
        guard permit.state == .active, stalled < limits.stalled, host.stalled < limits.stalledPerHost else { return [] }
        permit.state = .stalled
        stalled += 1
        host.stalled += 1
        release(host)
        return grant()
    }

    /// Sets the maximum number of active transfers of a permit's host, if that is less than `Limits.perHost`, and
    /// returns the permits that are granted now.
    func setMost(_ most: Int, of permit: Permit) -> [Permit] {
        permit.host.most = most
        enqueue(permit.host)
        return grant()
    }

    /// Makes a stalled transfer active again, even if that exceeds the limits.
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
        guard host.hasCapacity(limits) else { return }
        for line in host.lines where !line.isQueued && !line.permits.isEmpty {
            line.isQueued = true
            let place = turns.firstIndex { $0.rank <= line.rank } ?? turns.endIndex
            if place == turns.endIndex || turns[place].rank != line.rank { turns.insert((line.rank, []), at: place) }
            turns[place].hosts.append(host)
        }
    }

    private func grant() -> [Permit] {
        var granted: [Permit] = []
        while active < limits.total, let (host, line) = nextTurn() {
            line.isQueued = false
            guard host.hasCapacity(limits) else { continue }
            guard let permit = nextWaiting(in: line) else {
                forget(host)
                continue
            }
            begin(permit)
            granted.append(permit)
            enqueue(host)
        }
        return granted
    }

    private func nextTurn() -> (Host, Line)? {
        while let rank = turns.first?.rank {
            if let host = turns[0].hosts.popFirst() { return (host, host.line(of: rank)) }
            turns.removeFirst()
        }
        return nil
    }

    private func nextWaiting(in line: Line) -> Permit? {
        while let permit = line.permits.popFirst() {
            if line.waits(permit) { return permit }
        }
        return nil
    }

    /// Removes a host without permits.
    private func forget(_ host: Host) {
        guard host.active == 0, host.stalled == 0,
            host.lines.allSatisfy({ line in !line.isQueued && !line.permits.contains(where: line.waits) })
        else { return }
        hosts[host.name] = nil
    }
}
