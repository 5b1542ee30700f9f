import Base
import NotificationModel
import Testing

@testable import Features

/// Tests of the order and the times in which items are started.
@Suite struct WarmScheduleTests {
    private let start = MonotonicInstant.now

    private func limits(_ concurrency: Int, perHost: Int = 100, rate: Double? = nil) -> WarmSchedule.Limits {
        var limits = WarmSchedule.Limits()
        limits.concurrency = concurrency
        limits.perHost = perHost
        limits.rate = rate
        return limits
    }

    private func takeAll(_ schedule: inout WarmSchedule, at now: MonotonicInstant) -> [WarmSchedule.Turn] {
        var turns: [WarmSchedule.Turn] = []
        while let turn = schedule.next(at: now) { turns.append(turn) }
        return turns
    }

    @Test func `the schedule starts items of different hosts alternately`() {
        var schedule = WarmSchedule(limits(4))
        for item in WarmSamples.items(3, host: "a.example") + WarmSamples.items(3, host: "b.example") {
            schedule.add(item)
        }
        let hosts = takeAll(&schedule, at: start).map(\.item.host)
        #expect(hosts == ["a.example", "b.example", "a.example", "b.example"])
    }

    @Test func `a host has at most its limit of items at a time`() {
        var schedule = WarmSchedule(limits(10, perHost: 2))
        for item in WarmSamples.items(5) { schedule.add(item) }
        let turns = takeAll(&schedule, at: start)
        #expect(turns.count == 2)
        _ = schedule.end(turns[0].id, with: WarmSamples.warm(turns[0].item), at: start)
        #expect(takeAll(&schedule, at: start).count == 1)
    }

    @Test func `hosts without items are removed, and the number of remembered waiting hosts is limited`() {
        var schedule = WarmSchedule(limits(10, rate: 0.001))
        for number in 0..<10_000 {
            schedule.add(WarmSamples.items(1, host: "\(number).example")[0])
            for turn in takeAll(&schedule, at: start) {
                _ = schedule.end(turn.id, with: WarmSamples.warm(turn.item), at: start)
            }
        }
        #expect(schedule.isEmpty)
        // The rate does not permit the next items of these hosts yet.
        #expect(schedule.hosts.count <= WarmSchedule.maxRemembered + 10)
        var free = WarmSchedule(limits(10))
        for number in 0..<1_000 {
            free.add(WarmSamples.items(1, host: "\(number).example")[0])
            for turn in takeAll(&free, at: start) {
                _ = free.end(turn.id, with: WarmSamples.warm(turn.item), at: start)
            }
        }
        #expect(takeAll(&free, at: start).isEmpty)
        #expect(free.hosts.isEmpty)
    }

    @Test func `the reduced rate of a host is remembered when the host has no items`() {
        var schedule = WarmSchedule(limits(10, perHost: 8))
        schedule.add(WarmSamples.items(1)[0])
        let turn = takeAll(&schedule, at: start)[0]
        let refused = WarmSamples.refused(turn.item, pause: .seconds(2))
        _ = schedule.end(turn.id, with: refused, at: start)
        #expect(schedule.stop().count == 1)
        schedule.add(WarmSamples.items(1)[0])
        #expect(takeAll(&schedule, at: start + .seconds(1)).isEmpty)
    }

    @Test func `a rate limit spreads the starts of a host's items over time`() {
        var schedule = WarmSchedule(limits(10, rate: 4))
        for item in WarmSamples.items(3) { schedule.add(item) }
        #expect(takeAll(&schedule, at: start).count == 1)
        #expect(schedule.wake(at: start) == start + .milliseconds(250))
        #expect(takeAll(&schedule, at: start + .milliseconds(249)).isEmpty)
        #expect(takeAll(&schedule, at: start + .milliseconds(250)).count == 1)
    }

    @Test func `a host that requests a pause gets no items during it, and has half the concurrency afterwards`() {
        var schedule = WarmSchedule(limits(8, perHost: 8))
        for item in WarmSamples.items(20) { schedule.add(item) }
        let turns = takeAll(&schedule, at: start)
        #expect(turns.count == 8)
        let refused = WarmSamples.refused(turns[0].item, pause: .seconds(2))
        guard case .slowed("a.example", .seconds(2)) = schedule.end(turns[0].id, with: refused, at: start) else {
            Issue.record("the host is not slowed down")
            return
        }
        // The refusals of the other items belong to the same slow-down.
        for turn in turns.dropFirst() {
            let refused = WarmSamples.refused(turn.item, pause: .seconds(2))
            guard case .again = schedule.end(turn.id, with: refused, at: start + .milliseconds(10)) else {
                Issue.record("the host is slowed down twice")
                return
            }
        }
        #expect(schedule.queued == 20)
        #expect(takeAll(&schedule, at: start + .seconds(1)).isEmpty)
        #expect(schedule.wake(at: start + .seconds(1)) == start + .milliseconds(2_010))
        #expect(takeAll(&schedule, at: start + .seconds(3)).count == 4)
    }

    @Test func `successful items restore the concurrency of a host`() {
        var schedule = WarmSchedule(limits(4, perHost: 4))
        for item in WarmSamples.items(100) { schedule.add(item) }
        var now = start
        let first = takeAll(&schedule, at: now)
        for turn in first { _ = schedule.end(turn.id, with: WarmSamples.refused(turn.item), at: now) }
        now = now + WarmPace.firstPause
        for expected in [2, 2, 3, 4] {
            let turns = takeAll(&schedule, at: now)
            #expect(turns.count == expected)
            for turn in turns { _ = schedule.end(turn.id, with: WarmSamples.warm(turn.item), at: now) }
        }
    }

    @Test func `the pauses of a host double if the host states no duration for its pause`() {
        var schedule = WarmSchedule(limits(1))
        schedule.add(WarmSamples.item("http://a.example/1"))
        var (now, pauses) = (start, [Duration]())
        for _ in 0..<7 {
            guard let turn = schedule.next(at: now),
                case .slowed(_, let pause) = schedule.end(turn.id, with: WarmSamples.refused(turn.item), at: now)
            else { break }
            pauses.append(pause)
            now = now + pause
        }
        #expect(pauses == [2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    @Test func `all items of a host are given up if the host refuses all items for ten minutes`() {
        var schedule = WarmSchedule(limits(2))
        for item in WarmSamples.items(5) + [WarmSamples.item("http://b.example/1")] { schedule.add(item) }
        var now = start
        while true {
            guard let turn = schedule.next(at: now) else {
                now = schedule.wake(at: now) ?? now + .seconds(1)
                continue
            }
            guard turn.item.host == "a.example" else { continue }
            if case .givenUp(let items) = schedule.end(turn.id, with: WarmSamples.refused(turn.item), at: now) {
                #expect(items.count == 5)
                break
            }
        }
        let minutes = start.duration(to: now).seconds / 60
        #expect((8...10).contains(minutes), "\(minutes)")
        #expect(schedule.queued == 0)
    }

    /// Runs the schedule to its end with a warmer that refuses some URLs and takes no time.
    ///
    /// - Returns: The URLs in the order of their tries, and the URLs that were given up.
    private func drain(
        _ schedule: inout WarmSchedule, refusing isRefused: (String) -> Bool
    ) -> (tries: [String], givenUp: [String]) {
        var (now, tries, givenUp) = (start, [String](), [String]())
        while !schedule.isEmpty {
            guard let turn = schedule.next(at: now) else {
                now = schedule.wake(at: now) ?? now + .seconds(1)
                continue
            }
            let url = WarmSamples.url(turn.item)
            tries.append(url)
            let outcome = isRefused(url) ? WarmSamples.refused(turn.item) : WarmSamples.warm(turn.item)
            now = now + .milliseconds(1)
            if case .givenUp(let items) = schedule.end(turn.id, with: outcome, at: now) {
                givenUp += items.map(WarmSamples.url)
            }
        }
        return (tries, givenUp)
    }

    @Test func `a refused item goes to the end of its host's queue`() {
        var schedule = WarmSchedule(limits(1))
        let items = WarmSamples.items(4)
        for item in items { schedule.add(item) }
        let refused = WarmSamples.url(items[0])
        let tries = drain(&schedule) { $0 == refused }.tries
        #expect(tries.prefix(5) == (items + items.prefix(1)).map(WarmSamples.url)[...])
    }

    @Test func `an item that is always refused fails after eight tries, and the other items of its host continue`() {
        var schedule = WarmSchedule(limits(2, perHost: 2))
        let items = WarmSamples.items(40)
        for item in items { schedule.add(item) }
        let refused = WarmSamples.url(items[0])
        let (tries, givenUp) = drain(&schedule) { $0 == refused }
        #expect(givenUp == [refused])
        #expect(tries.count == 39 + 8)
    }

    @Test func `an item does not fail after eight tries if its host has accepted no other item since the first try`() {
        var schedule = WarmSchedule(limits(1))
        let items = WarmSamples.items(3)
        for item in items { schedule.add(item) }
        let givenUp = drain(&schedule) { $0 != WarmSamples.url(items[0]) }.givenUp
        #expect(Set(givenUp) == Set(items.dropFirst().map(WarmSamples.url)))
    }

    @Test func `a successful other item resets the pause of its host`() {
        var schedule = WarmSchedule(limits(1))
        for item in WarmSamples.items(2) { schedule.add(item) }
        var (now, pauses) = (start, [Duration]())
        for isRefused in [true, false, true] {
            guard let turn = schedule.next(at: now) else { break }
            let outcome = isRefused ? WarmSamples.refused(turn.item) : WarmSamples.warm(turn.item)
            if case .slowed(_, let pause) = schedule.end(turn.id, with: outcome, at: now) { pauses.append(pause) }
            now = now + WarmPace.firstPause
        }
        #expect(pauses == [WarmPace.firstPause, WarmPace.firstPause])
    }

    @Test
    func `an item waits for the pause of the host that refused it, even if its URL names another host`() {
        var schedule = WarmSchedule(limits(4))
        schedule.add(WarmSamples.item("http://a.example/1"))
        let turn = schedule.next(at: start)
        var outcome = WarmSamples.refused(WarmSamples.item("http://b.example/2"), pause: .seconds(5))
        outcome.media.append(WarmSamples.warm(WarmSamples.item("http://a.example/1")).media[0])
        if let turn { _ = schedule.end(turn.id, with: outcome, at: start) }
        schedule.add(WarmSamples.item("http://a.example/3"))
        #expect(schedule.next(at: start)?.item.host == "a.example")
        #expect(schedule.next(at: start) == nil)
        #expect(schedule.next(at: start + .seconds(5)) != nil)
    }

    @Test func `an item that fails as overloaded pauses all hosts`() {
        var schedule = WarmSchedule(limits(2))
        for item in WarmSamples.items(2) + WarmSamples.items(2, host: "b.example") { schedule.add(item) }
        let turn = schedule.next(at: start)
        if let turn { _ = schedule.end(turn.id, with: WarmSamples.failed(turn.item, .overloaded), at: start) }
        #expect(schedule.next(at: start) == nil)
        #expect(schedule.wake(at: start) == start + WarmPace.firstPause)
        #expect(takeAll(&schedule, at: start + WarmPace.firstPause).count == 1)
    }

    @Test func `the slowest host is the host that delays the batch the longest`() {
        var schedule = WarmSchedule(limits(4))
        for item in WarmSamples.items(2) + WarmSamples.items(2, host: "b.example") { schedule.add(item) }
        let turns = takeAll(&schedule, at: start)
        for turn in turns.prefix(2) {
            let time: Duration = turn.item.host == "a.example" ? .seconds(3) : .seconds(1)
            _ = schedule.end(turn.id, with: WarmSamples.warm(turn.item), at: start + time)
        }
        #expect(schedule.slowestHost(at: start + .seconds(3)) == "a.example")
        let refused = WarmSamples.refused(turns[3].item, pause: .seconds(9))
        _ = schedule.end(turns[3].id, with: refused, at: start + .seconds(3))
        #expect(schedule.slowestHost(at: start + .seconds(4)) == "b.example")
    }
}
