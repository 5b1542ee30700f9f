import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of the lanes of several targets on a manual clock.
@Suite(.timeLimit(.minutes(1))) struct CallbacksTests {
    private static let ok = OutgoingAnswer.answered(status: 200, retryAfter: nil, body: [])

    @Test func `each message is sent once to a target that accepts it, with its id and its signature`() async throws {
        let bench = try CallbackBench("a") { _ in Self.ok }
        bench.store.add(0..<50, to: "a", at: bench.clock.date)
        try await bench.run {
            try await wait(for: "all are delivered") {
                bench.store.states(of: "a").allSatisfy { $0 == .delivered }
            }
            bench.store.add(50..<60, to: "a", at: bench.clock.date)
            try await wait(for: "the added ones are delivered") {
                bench.store.states(of: "a").allSatisfy { $0 == .delivered }
            }
        }
        let calls = bench.network.calls.elements
        #expect(calls.count == 60)
        #expect(Set(calls.map { $0.body }).count == 60)
        let call = try #require(calls.first)
        let fields = call.fields.reduce(into: [:]) { $0[$1.name] = $1.value }
        #expect(fields["webhook-id"]?.hasPrefix("msg_") == true && fields["webhook-timestamp"] == "1800000000")
        let keys = try WebhookKeys(CallbackBench.secret)
        try keys.check(
            call.body, id: fields["webhook-id"], timestamp: fields["webhook-timestamp"],
            signatures: fields["webhook-signature"], at: bench.clock.date)
    }

    @Test func `a target that hangs gets its limit of requests at a time, and delays no other target`() async throws {
        let bench = try CallbackBench("slow", "good", concurrent: 3) { call in
            call.url == CallbackBench.url("good") ? Self.ok : nil
        }
        bench.store.add(0..<20, to: "slow", at: bench.clock.date)
        bench.store.add(100..<200, to: "good", at: bench.clock.date)
        try await bench.run {
            try await wait(for: "the good target has its messages") {
                bench.store.states(of: "good").allSatisfy { $0 == .delivered }
            }
            try await wait(for: "the slow target has its limit") { bench.network.hanging == 3 }
            #expect(bench.network.calls(to: CallbackBench.url("slow")) == 3)
        }
        #expect(bench.store.states(of: "slow").allSatisfy { $0 == .pending })
    }

    @Test func `attempts of a message come by the schedule, each signed with its time, until the last one`()
        async throws
    {
        let bench = try CallbackBench("a") { _ in .answered(status: 404, retryAfter: nil, body: []) }
        bench.store.add(0..<1, to: "a", at: bench.clock.date)
        try await bench.run {
            for attempt in 1...10 {
                try await wait(for: "attempt \(attempt)") { bench.network.calls.elements.count == attempt }
                try await wait(for: "its record") {
                    bench.store.state.withLock { $0.callbacks[0].attempts == attempt }
                }
                guard let due = bench.store.state.withLock({ $0.callbacks[0].dueAt }) else { break }
                // The lane looks at least once a minute, so the clock advances in such steps.
                while bench.clock.date < due, bench.network.calls.elements.count == attempt {
                    await bench.clock.waitForSleepers(2)
                    bench.clock.advance(by: .seconds(min(60, max(1, due.timeIntervalSince(bench.clock.date)))))
                }
            }
        }
        #expect(bench.store.states(of: "a") == [.failed])
        let fields = bench.network.calls.elements.map { $0.fields.reduce(into: [:]) { $0[$1.name] = $1.value } }
        #expect(Set(fields.map { $0["webhook-id"] }) == ["msg_0"])
        #expect(Set(fields.map { $0["webhook-timestamp"] }).count == 10)
    }

    @Test func `a target that answers 410 is disabled over a restart until it is recovered`() async throws {
        let first = try CallbackBench("a") { _ in .answered(status: 410, retryAfter: nil, body: []) }
        let store = first.store
        store.add(0..<1, to: "a", at: first.clock.date)
        try await first.run {
            try await wait(for: "the target is disabled") {
                store.state.withLock { $0.records["a"]?.disabledAt != nil }
            }
        }
        let bench = try CallbackBench("a", store: store) { _ in Self.ok }
        store.add(1..<5, to: "a", at: bench.clock.date)
        try await bench.run {
            try await wait(for: "the lane has read its record") {
                await bench.callbacks.targets()?.first?.record.disabledAt != nil
            }
            #expect(bench.network.calls.elements.isEmpty)
            bench.clock.advance(by: .seconds(10))
            #expect(await bench.callbacks.recover("a", since: .distantPast) == .done(0))
            try await wait(for: "all are delivered") { store.states(of: "a").allSatisfy { $0 == .delivered } }
            let record = try #require(store.state.withLock { $0.records["a"] })
            #expect(record.disabledAt == nil && record.reason == nil && record.failures == 0)
        }
    }

    @Test func `a recovery while a reload reads the records of the targets enables the target`() async throws {
        let bench = try CallbackBench("a") { _ in Self.ok }
        let store = bench.store
        try await bench.run {
            try await wait(for: "the lane runs") { await bench.callbacks.disable("a") == .done(0) }
            store.add(0..<5, to: "a", at: bench.clock.date)
            let (read, goOn) = (AsyncEvent(), AsyncEvent())
            store.state.withLock {
                $0.afterRead = {
                    read.signal()
                    await goOn.wait()
                }
            }
            bench.callbacks.change(try CallbackBench.settings(["a"], concurrent: 5))
            await read.wait()
            #expect(await bench.callbacks.recover("a", since: .distantPast) == .done(0))
            goOn.signal()
            try await wait(for: "all are delivered") { store.states(of: "a").allSatisfy { $0 == .delivered } }
        }
    }

    @Test func `a recovery sends failed messages since a time again, and names no unknown target`() async throws {
        let bench = try CallbackBench("a") { _ in Self.ok }
        let start = bench.clock.date
        bench.store.add(0..<9, to: "a", at: start)
        bench.store.state.withLock { state in
            for index in state.callbacks.indices {
                (state.callbacks[index].state, state.callbacks[index].dueAt) = (.failed, nil)
                state.callbacks[index].createdAt = start.addingTimeInterval(Double(index))
            }
        }
        try await bench.run {
            try await wait(for: "the lanes run") { await bench.callbacks.disable("a") == .done(0) }
            #expect(await bench.callbacks.recover("a", since: start.addingTimeInterval(4)) == .done(5))
            #expect(await bench.callbacks.recover("b", since: start) == .unknownTarget)
            #expect(await bench.callbacks.disable("b") == .unknownTarget)
            try await wait(for: "they are delivered") {
                bench.store.states(of: "a").count { $0 == .delivered } == 5
            }
        }
        #expect(bench.store.states(of: "a").count { $0 == .failed } == 4)
    }

    @Test func `a recovery without a time enables the target, and does not search the journal`() async throws {
        let bench = try CallbackBench("a") { _ in Self.ok }
        bench.store.add(0..<3, to: "a", at: bench.clock.date)
        bench.store.state.withLock { state in
            for index in state.callbacks.indices {
                (state.callbacks[index].state, state.callbacks[index].dueAt) = (.failed, nil)
            }
        }
        try await bench.run {
            try await wait(for: "the lane runs") { await bench.callbacks.disable("a") == .done(0) }
            #expect(await bench.callbacks.recover("a", since: nil) == .done(0))
            bench.store.add(3..<4, to: "a", at: bench.clock.date)
            try await wait(for: "it is delivered") { bench.store.states(of: "a").last == .delivered }
        }
        #expect(bench.store.state.withLock { $0.recoveries } == 0)
        #expect(bench.store.states(of: "a").prefix(3).allSatisfy { $0 == .failed })
    }

    @Test func `a failed look at the journal is repeated after a second`() async throws {
        let bench = try CallbackBench("a") { _ in Self.ok }
        bench.store.state.withLock { $0.isUnreadable = true }
        bench.store.add(0..<1, to: "a", at: bench.clock.date)
        try await bench.run {
            try await wait(for: "a failed look") { bench.store.state.withLock { $0.looks } > 0 }
            bench.store.state.withLock { $0.isUnreadable = false }
            // The lane and the count of pending messages sleep.
            await bench.clock.waitForSleepers(2)
            bench.clock.advance(by: .seconds(1))
            try await wait(for: "it is delivered") { bench.store.states(of: "a") == [.delivered] }
        }
        #expect(bench.warnings.elements.count == 1)
    }

    @Test func `two targets of one name are one target`() async throws {
        let bench = try CallbackBench("a", "a") { _ in Self.ok }
        bench.store.add(0..<9, to: "a", at: bench.clock.date)
        try await bench.run {
            try await wait(for: "all are delivered") { bench.store.states(of: "a").allSatisfy { $0 == .delivered } }
        }
        #expect(bench.network.calls.elements.count == 9)
    }

    @Test func `a message whose request is cancelled stays due, and comes again after the restart`() async throws {
        let bench = try CallbackBench("a") { _ in nil }
        bench.store.add(0..<2, to: "a", at: bench.clock.date)
        try await bench.run { try await wait(for: "both are sent") { bench.network.hanging == 2 } }
        #expect(bench.store.states(of: "a") == [.pending, .pending])
        #expect(bench.store.state.withLock { $0.callbacks.allSatisfy { $0.attempts == 0 } })
        try await bench.run { try await wait(for: "both are sent again") { bench.network.calls.elements.count == 4 } }
    }

    @Test func `an answer that comes while the callbacks end is stored`() async throws {
        let bench = try CallbackBench("a") { _ in nil }
        bench.store.add(0..<2, to: "a", at: bench.clock.date)
        let running = Task { await bench.callbacks.run() }
        try await wait(for: "both are sent") { bench.network.hanging == 2 }
        running.cancel()
        bench.network.finish(with: Self.ok)
        await running.value
        #expect(bench.store.states(of: "a") == [.delivered, .delivered])
    }

    @Test func `other targets take effect without a restart, and without targets the journal is not asked`()
        async throws
    {
        let bench = try CallbackBench("a") { _ in Self.ok }
        try await bench.run {
            try await wait(for: "the lane runs") { bench.callbacks.gauges.map(\.target) == ["a"] }
            bench.callbacks.change(Callbacks.Settings())
            try await wait(for: "no lane runs") { bench.callbacks.gauges.isEmpty }
            bench.store.add(0..<1, to: "a", at: bench.clock.date)
            #expect(bench.network.calls.elements.isEmpty)
        }
    }
}
