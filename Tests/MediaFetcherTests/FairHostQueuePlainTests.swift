import TestSupport
import Testing

@testable import MediaFetcher

@Suite struct FairHostQueuePlainTests {
    private func line(total: Int = 4, perHost: Int = 2, stalled: Int = 10, stalledPerHost: Int = 3) -> FairHostQueue {
        FairHostQueue(
            limits: FairHostQueue.Limits(
                total: total, perHost: perHost, stalled: stalled, stalledPerHost: stalledPerHost))
    }

    @Test func `a host has a limited number of permits, and the next transfer starts when a permit is returned`() {
        let line = line()
        let first = line.enter("a")
        let second = line.enter("a")
        let third = line.enter("a")
        #expect(first.isGranted && second.isGranted && !third.isGranted)
        #expect(line.leave(first.permit) == [third.permit])
        #expect(line.leave(first.permit).isEmpty)
    }

    @Test func `the other transfers of a host start after its first connection is made`() {
        let line = line()
        let first = line.enter("a", most: 1)
        let others = (0..<3).map { _ in line.enter("a", most: 1) }
        #expect(first.isGranted && others.allSatisfy { !$0.isGranted })
        // The limit of the host still applies.
        #expect(line.setMost(100, of: first.permit) == [others[0].permit])
        #expect(line.setMost(100, of: first.permit).isEmpty)
        #expect(line.leave(first.permit) == [others[1].permit])
    }

    @Test func `hosts take turns when all permits are taken`() {
        let line = line(total: 2, perHost: 2)
        let running = [line.enter("a"), line.enter("a")]
        let waiting = [line.enter("a"), line.enter("a"), line.enter("b"), line.enter("c")]
        #expect(waiting.allSatisfy { !$0.isGranted })
        // The host that has all permits gets its turn after the hosts that have no permit.
        #expect(line.leave(running[0].permit) == [waiting[2].permit])
        #expect(line.leave(running[1].permit) == [waiting[3].permit])
        #expect(line.leave(waiting[2].permit) == [waiting[0].permit])
    }

    @Test func `a stalled transfer releases its permit to the next transfer`() {
        let line = line(total: 2, perHost: 1)
        let stuck = line.enter("a")
        let next = line.enter("a")
        #expect(!next.isGranted)
        #expect(line.stall(stuck.permit) == [next.permit])
        #expect((line.active, line.stalled) == (1, 1))
        // The resumed transfer exceeds the limit of the host until one transfer of this host ends.
        line.resume(stuck.permit)
        #expect((line.active, line.stalled) == (2, 0))
        let third = line.enter("a")
        #expect(line.leave(next.permit).isEmpty)
        #expect(line.leave(stuck.permit) == [third.permit])
    }

    @Test func `the number of stalled transfers is limited per host and in total`() {
        let line = line(total: 10, perHost: 1, stalled: 4, stalledPerHost: 3)
        var stuck: [FairHostQueue.Permit] = []
        for _ in 0..<3 {
            let permit = line.enter("a").permit
            stuck.append(permit)
            _ = line.stall(permit)
        }
        let fourth = line.enter("a")
        #expect(fourth.isGranted)
        let fifth = line.enter("a")
        #expect(line.stall(fourth.permit).isEmpty && line.stalled == 3)
        _ = line.stall(line.enter("b").permit)
        #expect(line.stalled == 4)
        let other = line.enter("c").permit
        _ = line.stall(other)
        #expect(line.stalled == 4)
        #expect(line.leave(fourth.permit) == [fifth.permit])
    }

    @Test func `a host has no more permits than its connections can carry`() {
        let line = line(total: 100, perHost: 50)
        let permits = (0..<60).map { _ in line.enter("a", most: 20) }
        #expect(permits.prefix(20).allSatisfy { $0.isGranted } && !permits[20].isGranted)
        #expect(line.enter("b").isGranted)
        #expect(line.leave(permits[0].permit) == [permits[20].permit])
        // The connections can carry more transfers than was known. The waiting transfers start before a new transfer.
        #expect(!line.enter("a", most: .max).isGranted)
        #expect(line.setMost(.max, of: permits[1].permit) == permits[21...50].map(\.permit))
    }

    @Test func `waiting transfers start when the limits are raised`() {
        let line = line(total: 1, perHost: 1)
        _ = line.enter("a")
        let waiting = [line.enter("a").permit, line.enter("b").permit]
        let more = FairHostQueue.Limits(total: 4, perHost: 2, stalled: 1, stalledPerHost: 1)
        #expect(Set(line.change(more)) == Set(waiting))
    }

    @Test
    func `a transfer of a higher rank starts before transfers of lower ranks, of its own host and of other hosts`() {
        let line = line(total: 1, perHost: 1)
        let running = line.enter("a", rank: 0)
        let warm = [line.enter("a", rank: 0).permit, line.enter("b", rank: 0).permit]
        let alert = line.enter("a", rank: 21).permit
        let silent = line.enter("c", rank: 20).permit
        #expect(line.leave(running.permit) == [alert])
        #expect(line.leave(alert) == [silent])
        let first = line.leave(silent)
        let second = first.flatMap { line.leave($0) }
        #expect(Set(first + second) == Set(warm) && first.count == 1)
        #expect(second.flatMap { line.leave($0) }.isEmpty)
        #expect(line.hostCount == 0)
    }

    @Test func `a raised permit is granted once, before all permits of its old rank`() {
        let line = line(total: 1, perHost: 1)
        let running = line.enter("a", rank: 0)
        let warm = (0..<3).map { _ in line.enter("a", rank: 0).permit }
        line.raise(warm[2], to: 21)
        #expect(line.leave(running.permit) == [warm[2]])
        // A permit that is granted or given back cannot be raised.
        line.raise(warm[2], to: 22)
        #expect(line.leave(warm[2]) == [warm[0]])
        #expect(line.leave(warm[0]) == [warm[1]])
        #expect(line.leave(warm[1]).isEmpty)
        #expect(line.hostCount == 0)
    }

    @Test func `a queued transfer that leaves the queue gets no permit`() {
        let line = line(total: 1)
        let first = line.enter("a")
        let second = line.enter("a")
        let third = line.enter("a")
        #expect(line.leave(second.permit).isEmpty)
        #expect(line.leave(first.permit) == [third.permit])
    }

    @Test(arguments: [
        FairHostQueue.Limits(total: 5, perHost: 2, stalled: 3, stalledPerHost: 2),
        FairHostQueue.Limits(total: 50, perHost: 20, stalled: 30, stalledPerHost: 12),
    ])
    func `the counts are correct in any order of events, and no transfer waits if the limits allow its start`(
        limits: FairHostQueue.Limits
    ) {
        var generator = SeededGenerator.random()
        for _ in 0..<200 {
            let line = FairHostQueue(limits: limits)
            var leased: Set<FairHostQueue.Permit> = []
            var waiting: Set<FairHostQueue.Permit> = []
            for _ in 0..<600 {
                var granted: [FairHostQueue.Permit] = []
                switch Int.random(in: 0..<12, using: &generator) {
                case 0...5:
                    let (name, most) =
                        [("a", 1), ("b", 17), ("c", .max), ("d", .max)].randomElement(using: &generator) ?? ("a", 1)
                    let rank = Int.random(in: 0...2, using: &generator)
                    let (permit, isGranted) = line.enter(name, rank: rank, most: most)
                    if isGranted { leased.insert(permit) } else { waiting.insert(permit) }
                case 6, 7:
                    if let permit = leased.union(waiting).randomElement(using: &generator) {
                        leased.remove(permit)
                        waiting.remove(permit)
                        granted = line.leave(permit)
                    }
                case 8, 9: if let permit = leased.randomElement(using: &generator) { granted = line.stall(permit) }
                case 10: if let permit = leased.randomElement(using: &generator) { line.resume(permit) }
                default:
                    if let permit = leased.union(waiting).randomElement(using: &generator) {
                        line.raise(permit, to: Int.random(in: 0...3, using: &generator))
                    }
                }
                for permit in granted {
                    #expect(waiting.remove(permit) != nil)
                    leased.insert(permit)
                }
                #expect(line.active + line.stalled == leased.count)
                #expect(line.stalled <= limits.stalled)
                #expect(!waiting.contains { line.hasCapacity(for: $0) })
            }
            for permit in leased.union(waiting) { _ = line.leave(permit) }
            #expect((line.active, line.stalled, line.hostCount) == (0, 0, 0))
        }
    }
}
