import DequeModule

/// Whose transfers run and whose wait: so many in all and to one host, hosts in turns. Pure.
///
/// A transfer that stands still gives its place to others and keeps its connection, as far as there is room for standing
/// ones: neither a host that hangs keeps others from being asked, nor a few hanging files of a host its good ones.
///
/// Of a host that nothing is known of, one goes ahead: once it is connected, the others see whether its connection
/// carries them all.
struct HostLine {
    typealias Ticket = UInt64

    struct Limits: Equatable {
        var total: Int
        var perHost: Int
        /// Standing transfers, besides the others.
        var standing: Int
        var standingPerHost: Int
    }

    private struct Host {
        var moving = 0
        var standing = 0
        /// In the order of their coming; those who left are taken out when it is their turn.
        var line = Deque<Ticket>()
        /// One goes ahead, and has not told yet.
        var isScouted = false
        /// Stands in `turns`.
        var hasTurn = false
    }

    private enum Place {
        case waiting
        case moving
        case standing
    }

    private var limits: Limits
    private(set) var moving = 0
    private(set) var standing = 0
    private var hosts: [String: Host] = [:]
    private var tickets: [Ticket: (host: String, place: Place)] = [:]
    private var lastTicket: Ticket = 0
    /// Hosts that have somebody waiting and room for them, each once.
    private var turns = Deque<String>()

    init(limits: Limits) { self.limits = limits }

    /// Hosts that anything is known of.
    var hostCount: Int { hosts.count }

    /// - Returns: those that may begin now.
    mutating func change(_ limits: Limits) -> [Ticket] {
        self.limits = limits
        for name in hosts.keys { offerTurn(name) }
        return grant()
    }

    /// - Returns: a ticket, which is to be given back in any case, and whether the transfer may begin at once.
    mutating func enter(_ host: String, isUnknown: Bool = false) -> (ticket: Ticket, isGranted: Bool) {
        lastTicket += 1
        let ticket = lastTicket
        tickets[ticket] = (host, .waiting)
        if isUnknown, hosts[host] == nil { hosts[host, default: Host()].isScouted = true }
        hosts[host, default: Host()].line.append(ticket)
        offerTurn(host)
        return (ticket, grant().contains(ticket))
    }

    /// The transfer has ended, or does not want to wait any longer.
    ///
    /// - Returns: those that may begin now.
    mutating func leave(_ ticket: Ticket) -> [Ticket] {
        guard let (name, place) = tickets.removeValue(forKey: ticket) else { return [] }
        switch place {
        case .waiting: break
        case .moving: release(name)
        case .standing:
            standing -= 1
            hosts[name]?.standing -= 1
        }
        forget(name)
        return grant()
    }

    /// - Returns: those that may begin now.
    mutating func standStill(_ ticket: Ticket) -> [Ticket] {
        guard let (name, place) = tickets[ticket], place == .moving, standing < limits.standing,
            hosts[name, default: Host()].standing < limits.standingPerHost
        else { return [] }
        tickets[ticket] = (name, .standing)
        standing += 1
        hosts[name]?.standing += 1
        release(name)
        return grant()
    }

    /// It has its connection.
    ///
    /// - Returns: those that may begin now.
    mutating func connect(_ ticket: Ticket) -> [Ticket] {
        guard let name = tickets[ticket]?.host, hosts[name]?.isScouted == true else { return [] }
        hosts[name]?.isScouted = false
        offerTurn(name)
        return grant()
    }

    /// It takes its place again, whether there is one or not.
    mutating func moveAgain(_ ticket: Ticket) {
        guard let (name, place) = tickets[ticket], place == .standing else { return }
        tickets[ticket] = (name, .moving)
        standing -= 1
        hosts[name]?.standing -= 1
        moving += 1
        hosts[name]?.moving += 1
    }

    private mutating func release(_ name: String) {
        moving -= 1
        hosts[name]?.moving -= 1
        offerTurn(name)
    }

    private mutating func offerTurn(_ name: String) {
        // Read in place: a copy of the host would make the next change of its line copy that.
        guard hosts[name]?.hasTurn == false, hosts[name]?.line.isEmpty == false, hasRoom(name) else { return }
        hosts[name]?.hasTurn = true
        turns.append(name)
    }

    private mutating func grant() -> [Ticket] {
        var granted: [Ticket] = []
        while moving < limits.total, let name = turns.popFirst() {
            hosts[name]?.hasTurn = false
            guard hasRoom(name) else { continue }
            guard let ticket = nextWaiting(of: name) else {
                forget(name)
                continue
            }
            tickets[ticket] = (name, .moving)
            moving += 1
            hosts[name]?.moving += 1
            granted.append(ticket)
            offerTurn(name)
        }
        return granted
    }

    private func hasRoom(_ name: String) -> Bool {
        guard let moving = hosts[name]?.moving else { return false }
        return moving < (hosts[name]?.isScouted == true ? 1 : limits.perHost)
    }

    private mutating func nextWaiting(of name: String) -> Ticket? {
        while let ticket = hosts[name]?.line.popFirst() {
            if tickets[ticket] != nil { return ticket }
        }
        return nil
    }

    /// A host of which nothing is left costs nothing.
    private mutating func forget(_ name: String) {
        guard hosts[name]?.moving == 0, hosts[name]?.standing == 0, hosts[name]?.hasTurn == false else { return }
        if hosts[name]?.line.contains(where: { tickets[$0] != nil }) == false { hosts[name] = nil }
    }
}
