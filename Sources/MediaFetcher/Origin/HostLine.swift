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
    private typealias HostNumber = UInt64

    struct Limits: Equatable {
        var total: Int
        var perHost: Int
        /// Standing transfers, besides the others.
        var standing: Int
        var standingPerHost: Int
    }

    private struct Host {
        let name: String
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
    /// Asked once for each ticket: from then on, numbers are quicker than names.
    private var numbers: [String: HostNumber] = [:]
    private var hosts: [HostNumber: Host] = [:]
    private var lastHost: HostNumber = 0
    private var tickets: [Ticket: (host: HostNumber, place: Place)] = [:]
    private var lastTicket: Ticket = 0
    /// Hosts that have somebody waiting and room for them, each once.
    private var turns = Deque<HostNumber>()

    init(limits: Limits) { self.limits = limits }

    /// Hosts that anything is known of.
    var hostCount: Int { hosts.count }

    /// - Returns: those that may begin now.
    mutating func change(_ limits: Limits) -> [Ticket] {
        self.limits = limits
        for host in hosts.keys { offerTurn(host) }
        return grant()
    }

    /// - Returns: a ticket, which is to be given back in any case, and whether the transfer may begin at once.
    mutating func enter(_ host: String, isUnknown: Bool = false) -> (ticket: Ticket, isGranted: Bool) {
        lastTicket += 1
        let ticket = lastTicket
        let host = number(of: host, isUnknown: isUnknown)
        tickets[ticket] = (host, .waiting)
        hosts[host]?.line.append(ticket)
        offerTurn(host)
        return (ticket, grant().contains(ticket))
    }

    private mutating func number(of name: String, isUnknown: Bool) -> HostNumber {
        if let number = numbers[name] { return number }
        lastHost += 1
        numbers[name] = lastHost
        hosts[lastHost] = Host(name: name, isScouted: isUnknown)
        return lastHost
    }

    /// The transfer has ended, or does not want to wait any longer.
    ///
    /// - Returns: those that may begin now.
    mutating func leave(_ ticket: Ticket) -> [Ticket] {
        guard let (host, place) = tickets.removeValue(forKey: ticket) else { return [] }
        switch place {
        case .waiting: break
        case .moving: release(host)
        case .standing:
            standing -= 1
            hosts[host]?.standing -= 1
        }
        forget(host)
        return grant()
    }

    /// - Returns: those that may begin now.
    mutating func standStill(_ ticket: Ticket) -> [Ticket] {
        guard let (host, place) = tickets[ticket], place == .moving, standing < limits.standing,
            hosts[host]?.standing ?? 0 < limits.standingPerHost
        else { return [] }
        tickets[ticket] = (host, .standing)
        standing += 1
        hosts[host]?.standing += 1
        release(host)
        return grant()
    }

    /// It has its connection.
    ///
    /// - Returns: those that may begin now.
    mutating func connect(_ ticket: Ticket) -> [Ticket] {
        guard let host = tickets[ticket]?.host, hosts[host]?.isScouted == true else { return [] }
        hosts[host]?.isScouted = false
        offerTurn(host)
        return grant()
    }

    /// It takes its place again, whether there is one or not.
    mutating func moveAgain(_ ticket: Ticket) {
        guard let (host, place) = tickets[ticket], place == .standing else { return }
        tickets[ticket] = (host, .moving)
        standing -= 1
        hosts[host]?.standing -= 1
        moving += 1
        hosts[host]?.moving += 1
    }

    private mutating func release(_ host: HostNumber) {
        moving -= 1
        hosts[host]?.moving -= 1
        offerTurn(host)
    }

    private mutating func offerTurn(_ host: HostNumber) {
        // Read in place: a copy of the host would make the next change of its line copy that.
        guard hosts[host]?.hasTurn == false, hosts[host]?.line.isEmpty == false, hasRoom(host) else { return }
        hosts[host]?.hasTurn = true
        turns.append(host)
    }

    private mutating func grant() -> [Ticket] {
        var granted: [Ticket] = []
        while moving < limits.total, let host = turns.popFirst() {
            hosts[host]?.hasTurn = false
            guard hasRoom(host) else { continue }
            guard let ticket = nextWaiting(of: host) else {
                forget(host)
                continue
            }
            tickets[ticket] = (host, .moving)
            moving += 1
            hosts[host]?.moving += 1
            granted.append(ticket)
            offerTurn(host)
        }
        return granted
    }

    private func hasRoom(_ host: HostNumber) -> Bool {
        guard let moving = hosts[host]?.moving else { return false }
        return moving < (hosts[host]?.isScouted == true ? 1 : limits.perHost)
    }

    private mutating func nextWaiting(of host: HostNumber) -> Ticket? {
        while let ticket = hosts[host]?.line.popFirst() {
            if tickets[ticket] != nil { return ticket }
        }
        return nil
    }

    /// A host of which nothing is left costs nothing.
    private mutating func forget(_ host: HostNumber) {
        guard hosts[host]?.moving == 0, hosts[host]?.standing == 0, hosts[host]?.hasTurn == false,
            hosts[host]?.line.contains(where: { tickets[$0] != nil }) == false
        else { return }
        if let name = hosts.removeValue(forKey: host)?.name { numbers[name] = nil }
    }
}
