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
        var standing: Int
        var standingPerHost: Int
    }

    fileprivate final class Host {
        let name: String
        var moving = 0
        var standing = 0
        /// In the order of their coming; those who left are taken out when it is their turn.
        var line = Deque<Ticket>()
        /// Transfers that its connections carry at a time.
        var most = Int.max
        /// Stands in `turns`.
        var hasTurn = false

        init(name: String) { self.name = name }

        func hasRoom(_ limits: Limits) -> Bool { moving < min(limits.perHost, most) }
    }

    /// What a transfer has of the line from its coming to its end. Only the line looks into it.
    final class Ticket: @unchecked Sendable, Hashable {
        fileprivate let host: Host
        fileprivate var place = Place.waiting

        fileprivate init(_ host: Host) { self.host = host }

        static func == (left: Ticket, right: Ticket) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    fileprivate enum Place {
        case waiting
        case moving
        case standing
        /// It was given back.
        case left
    }

    private var limits: Limits
    private(set) var moving = 0
    private(set) var standing = 0
    private var hosts: [String: Host] = [:]
    /// Hosts that have somebody waiting and room for them, each once.
    private var turns = Deque<Host>()

    init(limits: Limits) { self.limits = limits }

    /// Hosts that anything is known of.
    var hostCount: Int { hosts.count }

    /// - Returns: those that may begin now.
    func change(_ limits: Limits) -> [Ticket] {
        self.limits = limits
        for host in hosts.values { offerTurn(host) }
        return grant()
    }

    /// - Parameter most: transfers that the host may have at a time from now on, if that is fewer than the limits allow.
    /// - Returns: a ticket, which is to be given back in any case, and whether the transfer may begin at once.
    func enter(_ name: String, most: Int = .max) -> (ticket: Ticket, isGranted: Bool) {
        let ticket = Ticket(host(name))
        ticket.host.most = most
        // Where there is room nobody waits: it is given away when it comes.
        if hasRoom(for: ticket) {
            begin(ticket)
            return (ticket, true)
        }
        ticket.host.line.append(ticket)
        offerTurn(ticket.host)
        return (ticket, false)
    }

    /// Whether a transfer to the host of the ticket might begin.
    func hasRoom(for ticket: Ticket) -> Bool { moving < limits.total && ticket.host.hasRoom(limits) }

    private func host(_ name: String) -> Host {
        if let host = hosts[name] { return host }
        let host = Host(name: name)
        hosts[name] = host
        return host
    }

    /// The transfer has ended, or does not want to wait any longer.
    ///
    /// - Returns: those that may begin now.
    func leave(_ ticket: Ticket) -> [Ticket] {
        let (host, place) = (ticket.host, ticket.place)
        ticket.place = .left
        switch place {
        case .waiting: break
        case .moving: release(host)
        case .standing:
            standing -= 1
            host.standing -= 1
        case .left: return []
        }
        forget(host)
        return grant()
    }

    /// - Returns: those that may begin now.
    func standStill(_ ticket: Ticket) -> [Ticket] {
        let host = ticket.host
        guard ticket.place == .moving, standing < limits.standing, host.standing < limits.standingPerHost else {
            return []
        }
        ticket.place = .standing
        standing += 1
        host.standing += 1
        release(host)
        return grant()
    }

    /// It takes its place again, whether there is one or not.
    func moveAgain(_ ticket: Ticket) {
        guard ticket.place == .standing else { return }
        standing -= 1
        ticket.host.standing -= 1
        begin(ticket)
    }

    private func begin(_ ticket: Ticket) {
        ticket.place = .moving
        moving += 1
        ticket.host.moving += 1
    }

    private func release(_ host: Host) {
        moving -= 1
        host.moving -= 1
        offerTurn(host)
    }

    private func offerTurn(_ host: Host) {
        guard !host.hasTurn, !host.line.isEmpty, host.hasRoom(limits) else { return }
        host.hasTurn = true
        turns.append(host)
    }

    private func grant() -> [Ticket] {
        var granted: [Ticket] = []
        while moving < limits.total, let host = turns.popFirst() {
            host.hasTurn = false
            guard host.hasRoom(limits) else { continue }
            guard let ticket = nextWaiting(of: host) else {
                forget(host)
                continue
            }
            begin(ticket)
            granted.append(ticket)
            offerTurn(host)
        }
        return granted
    }

    private func nextWaiting(of host: Host) -> Ticket? {
        while let ticket = host.line.popFirst() {
            if ticket.place == .waiting { return ticket }
        }
        return nil
    }

    /// A host of which nothing is left costs nothing.
    private func forget(_ host: Host) {
        guard host.moving == 0, host.standing == 0, !host.hasTurn,
            !host.line.contains(where: { $0.place == .waiting })
        else { return }
        hosts[host.name] = nil
    }
}
