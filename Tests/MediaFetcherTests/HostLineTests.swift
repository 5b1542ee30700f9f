import Testing

@testable import MediaFetcher

@Suite struct HostLineTests {
    private func line(total: Int = 4, perHost: Int = 2, standing: Int = 10, standingPerHost: Int = 3) -> HostLine {
        HostLine(
            limits: HostLine.Limits(
                total: total, perHost: perHost, standing: standing, standingPerHost: standingPerHost))
    }

    @Test func `a host has so many at a time, and the next when one leaves`() {
        let line = line()
        let first = line.enter("a")
        let second = line.enter("a")
        let third = line.enter("a")
        #expect(first.isGranted && second.isGranted && !third.isGranted)
        #expect(line.leave(first.ticket) == [third.ticket])
        #expect(line.leave(first.ticket).isEmpty)
    }

    @Test func `hosts take turns when all places are taken`() {
        let line = line(total: 2, perHost: 2)
        let running = [line.enter("a"), line.enter("a")]
        let waiting = [line.enter("a"), line.enter("a"), line.enter("b"), line.enter("c")]
        #expect(waiting.allSatisfy { !$0.isGranted })
        // The host that has everything waits behind those that have nothing.
        #expect(line.leave(running[0].ticket) == [waiting[2].ticket])
        #expect(line.leave(running[1].ticket) == [waiting[3].ticket])
        #expect(line.leave(waiting[2].ticket) == [waiting[0].ticket])
    }

    @Test func `who stands still gives its place to others`() {
        let line = line(total: 2, perHost: 1)
        let stuck = line.enter("a")
        let next = line.enter("a")
        #expect(!next.isGranted)
        #expect(line.standStill(stuck.ticket) == [next.ticket])
        #expect((line.moving, line.standing) == (1, 1))
        // It moves again: one more than its host may have, until one of them ends.
        line.moveAgain(stuck.ticket)
        #expect((line.moving, line.standing) == (2, 0))
        let third = line.enter("a")
        #expect(line.leave(next.ticket).isEmpty)
        #expect(line.leave(stuck.ticket) == [third.ticket])
    }

    @Test func `there is room for so many standing ones, of one host and in all`() {
        let line = line(total: 10, perHost: 1, standing: 4, standingPerHost: 3)
        var stuck: [HostLine.Ticket] = []
        for _ in 0..<3 {
            let ticket = line.enter("a").ticket
            stuck.append(ticket)
            _ = line.standStill(ticket)
        }
        let fourth = line.enter("a")
        #expect(fourth.isGranted)
        let fifth = line.enter("a")
        #expect(line.standStill(fourth.ticket).isEmpty && line.standing == 3)
        _ = line.standStill(line.enter("b").ticket)
        #expect(line.standing == 4)
        let other = line.enter("c").ticket
        _ = line.standStill(other)
        #expect(line.standing == 4)
        #expect(line.leave(fourth.ticket) == [fifth.ticket])
    }

    @Test func `to a host that nothing is known of, one goes ahead until it is connected`() {
        let line = line()
        let scout = line.enter("a", isUnknown: true)
        let others = [line.enter("a", isUnknown: true), line.enter("a", isUnknown: true)]
        #expect(scout.isGranted && others.allSatisfy { !$0.isGranted })
        #expect(line.connect(scout.ticket) == [others[0].ticket])
        #expect(line.connect(scout.ticket).isEmpty)
        #expect(line.leave(scout.ticket) == [others[1].ticket])
    }

    @Test func `no more begin than the connections of a host carry, until they are known to carry more`() {
        let line = line(total: 100, perHost: 50)
        let first = line.enter("a", isUnknown: true, streams: 20).ticket
        let others = (0..<59).map { _ in line.enter("a", isUnknown: true, streams: 20) }
        #expect(others.allSatisfy { !$0.isGranted })
        #expect(line.connect(first).count == 19)
        #expect(line.enter("b").isGranted)
        #expect(line.note(streams: 30, of: first) == others[19..<29].map(\.ticket))
        #expect(line.note(streams: 1_000, of: first) == others[29..<49].map(\.ticket), "of a host there are so many")
        #expect(line.moving(to: first) == 50)
        #expect(line.leave(first) == [others[49].ticket])
    }

    @Test func `who stands still is carried, too`() {
        let line = line(total: 100, perHost: 50, standing: 100, standingPerHost: 100)
        let tickets = (0..<30).map { _ in line.enter("a", streams: 20).ticket }
        for ticket in tickets.prefix(4) { #expect(line.standStill(ticket).isEmpty) }
        #expect(line.moving(to: tickets[0]) == 16)
        #expect(line.standStill(tickets[4]) == [tickets[20]], "so many move in any case")
        #expect(line.leave(tickets[0]).isEmpty)
        #expect(line.note(streams: 22, of: tickets[1]) == [tickets[21], tickets[22]])
        #expect(line.leave(tickets[1]) == [tickets[23]], "it makes room where it stood")
    }

    @Test func `when the one ahead fails or stands still, the next goes ahead`() {
        let line = line()
        let tickets = (0..<3).map { _ in line.enter("a", isUnknown: true).ticket }
        #expect(line.leave(tickets[0]) == [tickets[1]])
        #expect(line.standStill(tickets[1]) == [tickets[2]])
    }

    @Test func `who waits begins when there is more room`() {
        let line = line(total: 1, perHost: 1)
        _ = line.enter("a")
        let waiting = [line.enter("a").ticket, line.enter("b").ticket]
        let more = HostLine.Limits(total: 4, perHost: 2, standing: 1, standingPerHost: 1)
        #expect(Set(line.change(more)) == Set(waiting))
    }

    @Test func `who leaves the line is not called`() {
        let line = line(total: 1)
        let first = line.enter("a")
        let second = line.enter("a")
        let third = line.enter("a")
        #expect(line.leave(second.ticket).isEmpty)
        #expect(line.leave(first.ticket) == [third.ticket])
    }

    /// A short line, and one that is longer than `leastMoving`.
    @Test(arguments: [
        HostLine.Limits(total: 5, perHost: 2, standing: 3, standingPerHost: 2),
        HostLine.Limits(total: 50, perHost: 20, standing: 30, standingPerHost: 12),
    ])
    func `in any order of events the counts are kept, and nobody waits where there is room`(limits: HostLine.Limits) {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let line = HostLine(limits: limits)
            var held: Set<HostLine.Ticket> = []
            var waiting: Set<HostLine.Ticket> = []
            for _ in 0..<600 {
                var granted: [HostLine.Ticket] = []
                let streams = [17, 20, 25, .max].randomElement(using: &generator) ?? .max
                switch Int.random(in: 0..<12, using: &generator) {
                case 0...5:
                    let (ticket, isGranted) = line.enter(
                        ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a", isUnknown: .random(),
                        streams: streams)
                    if isGranted { held.insert(ticket) } else { waiting.insert(ticket) }
                case 6, 7:
                    if let ticket = held.union(waiting).randomElement(using: &generator) {
                        held.remove(ticket)
                        waiting.remove(ticket)
                        granted = line.leave(ticket)
                    }
                case 8, 9: if let ticket = held.randomElement(using: &generator) { granted = line.standStill(ticket) }
                case 10: if let ticket = held.randomElement(using: &generator) { line.moveAgain(ticket) }
                default:
                    if let ticket = held.randomElement(using: &generator) {
                        granted = line.connect(ticket) + line.note(streams: streams, of: ticket)
                    }
                }
                for ticket in granted {
                    #expect(waiting.remove(ticket) != nil)
                    held.insert(ticket)
                }
                #expect(line.moving + line.standing == held.count)
                #expect(line.standing <= limits.standing)
                #expect(!waiting.contains { line.hasRoom(for: $0) })
            }
            for ticket in held.union(waiting) { _ = line.leave(ticket) }
            #expect((line.moving, line.standing, line.hostCount) == (0, 0, 0))
        }
    }
}
