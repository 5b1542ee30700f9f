import Testing

@testable import MediaFetcher

@Suite struct FairHostQueueTests {
    private func line(total: Int = 4, perHost: Int = 2, standing: Int = 10, standingPerHost: Int = 3) -> FairHostQueue {
        FairHostQueue(
            limits: FairHostQueue.Limits(
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
        var stuck: [FairHostQueue.Ticket] = []
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

    @Test func `a host has no more at a time than its connections carry`() {
        let line = line(total: 100, perHost: 50)
        let tickets = (0..<60).map { _ in line.enter("a", most: 20) }
        #expect(tickets.prefix(20).allSatisfy { $0.isGranted } && !tickets[20].isGranted)
        #expect(line.enter("b").isGranted)
        #expect(line.leave(tickets[0].ticket) == [tickets[20].ticket])
        let more = line.enter("a", most: .max)
        #expect(more.isGranted, "its connections carry more than was known")
    }

    @Test func `who waits begins when there is more room`() {
        let line = line(total: 1, perHost: 1)
        _ = line.enter("a")
        let waiting = [line.enter("a").ticket, line.enter("b").ticket]
        let more = FairHostQueue.Limits(total: 4, perHost: 2, standing: 1, standingPerHost: 1)
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

    @Test(arguments: [
        FairHostQueue.Limits(total: 5, perHost: 2, standing: 3, standingPerHost: 2),
        FairHostQueue.Limits(total: 50, perHost: 20, standing: 30, standingPerHost: 12),
    ])
    func `in any order of events the counts are kept, and nobody waits where there is room`(limits: FairHostQueue.Limits) {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let line = FairHostQueue(limits: limits)
            var held: Set<FairHostQueue.Ticket> = []
            var waiting: Set<FairHostQueue.Ticket> = []
            for _ in 0..<600 {
                var granted: [FairHostQueue.Ticket] = []
                switch Int.random(in: 0..<11, using: &generator) {
                case 0...5:
                    let (name, most) =
                        [("a", 1), ("b", 17), ("c", .max), ("d", .max)].randomElement(using: &generator) ?? ("a", 1)
                    let (ticket, isGranted) = line.enter(name, most: most)
                    if isGranted { held.insert(ticket) } else { waiting.insert(ticket) }
                case 6, 7:
                    if let ticket = held.union(waiting).randomElement(using: &generator) {
                        held.remove(ticket)
                        waiting.remove(ticket)
                        granted = line.leave(ticket)
                    }
                case 8, 9: if let ticket = held.randomElement(using: &generator) { granted = line.standStill(ticket) }
                default: if let ticket = held.randomElement(using: &generator) { line.moveAgain(ticket) }
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
