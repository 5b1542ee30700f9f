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
        let line = line(total: 10, perHost: 5)
        let first = line.enter("a", isUnknown: true, streams: 2)
        let others = (0..<4).map { _ in line.enter("a", isUnknown: true, streams: 2) }
        #expect(first.isGranted)
        #expect(line.connect(first.ticket) == [others[0].ticket])
        #expect(line.enter("b").isGranted)
        line.note(streams: 4, of: first.ticket)
        #expect(line.leave(first.ticket) == others[1...3].map(\.ticket))
        #expect(line.moving(to: others[0].ticket) == 4)
        let many = line.enter("a", streams: 100)
        #expect(many.isGranted)
        #expect(!line.enter("a", streams: 100).isGranted, "of a host there are so many, whatever it carries")
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

    @Test func `any order of events keeps the counts`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let line = line(total: 5, perHost: 2, standing: 3, standingPerHost: 2)
            var held: Set<HostLine.Ticket> = []
            var waiting: Set<HostLine.Ticket> = []
            for _ in 0..<300 {
                var granted: [HostLine.Ticket] = []
                switch Int.random(in: 0..<5, using: &generator) {
                case 0, 1:
                    let (ticket, isGranted) = line.enter(["a", "b", "c", "d"].randomElement(using: &generator) ?? "a")
                    if isGranted { held.insert(ticket) } else { waiting.insert(ticket) }
                case 2:
                    if let ticket = (held.union(waiting)).randomElement(using: &generator) {
                        held.remove(ticket)
                        waiting.remove(ticket)
                        granted = line.leave(ticket)
                    }
                case 3: if let ticket = held.randomElement(using: &generator) { granted = line.standStill(ticket) }
                default: if let ticket = held.randomElement(using: &generator) { line.moveAgain(ticket) }
                }
                for ticket in granted {
                    #expect(waiting.remove(ticket) != nil)
                    held.insert(ticket)
                }
                #expect(line.moving + line.standing == held.count)
                #expect(line.standing <= 3)
            }
            for ticket in held.union(waiting) { _ = line.leave(ticket) }
            #expect((line.moving, line.standing, line.hostCount) == (0, 0, 0))
        }
    }
}
