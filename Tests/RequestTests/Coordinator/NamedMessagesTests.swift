import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import RequestCoordinator

/// Tests of the preparation of named messages.
@Suite(.timeLimit(.minutes(1))) struct NamedMessagesTests {
    @Test func `a message is prepared for each profile, and each end has an event`() async throws {
        let bench = MessageBench()
        let events = try await bench.run {
            guard case .stored(let message, isNew: true) = try await bench.put(for: [.ios, .web]) else {
                Issue.record("not stored")
                return
            }
            #expect(message.expiresAt == bench.bench.clock.date.addingTimeInterval(3_600))
            for profile in [MediaProfile.ios, .web] { try await bench.end(for: profile) }
        }
        #expect(Set(events.map(\.profile)) == ["ios", "web"])
        #expect(events.allSatisfy { $0.name.description == "welcome" && $0.state == .prepared(.rich, nil) })
        #expect(bench.files.ends.elements.count == 2)
        #expect(Set(bench.bench.journal.emissions.map(\.key.id.description)) == ["message-1-ios", "message-1-web"])
    }

    @Test func `a payload and an envelope become the envelope of each profile`() throws {
        let bench = MessageBench()
        func envelope(_ object: JSONObject) throws -> MessageEnvelope {
            try MessageEnvelope(
                of: Submission(object: object, arrival: bench.bench.clock.reading), by: bench.bench.decoder)
        }
        let bare = try envelope(["aps": [:], "profile": "watch"])
        #expect(bare.profile == .web, "the default of the group")
        #expect(String(decoding: bare.bytes, as: UTF8.self) == #"{"payload":{"aps":{},"profile":"watch"}}"#)
        let whole = try envelope(["profile": "watch", "budget": "5s", "payload": ["aps": [:]]])
        #expect(String(decoding: whole.bytes, as: UTF8.self) == #"{"budget":"5s","payload":{"aps":{}}}"#)
        let stored = try #require(try JSONParser.value(of: whole.bytes).object)
        #expect(MessageEnvelope.envelope(stored, for: .android)["profile"] == "android")
        #expect(throws: EnvelopeError.self) { try envelope(["id": "a", "payload": [:]]) }
    }

    @Test func `a message whose envelope or end is wrong is refused`() async throws {
        let bench = MessageBench()
        for object in [["unusable": true], ["id": "a", "payload": [:]]] as [JSONObject] {
            guard case .unusable = try await bench.put(object) else {
                Issue.record("not refused: \(object)")
                continue
            }
        }
        let now = bench.bench.clock.date
        for expiry in [
            MessageExpiry.after(.zero), .after(.seconds(3_601)), .at(now), .at(now.addingTimeInterval(-1)),
            .at(now.addingTimeInterval(3_601)), .at(.distantFuture),
        ] {
            let answer = try await bench.put(until: expiry)
            #expect(answer == .wrongExpiry(latest: .seconds(3_600)), "\(expiry)")
        }
        for expiry in [MessageExpiry.after(.seconds(3_600)), .at(now.addingTimeInterval(1))] {
            guard case .stored = try await bench.put(until: expiry) else {
                Issue.record("refused: \(expiry)")
                continue
            }
        }
        bench.messages.close()
        #expect(try await bench.put() == .closing)
    }

    @Test func `a preparation that an earlier daemon began goes on`() async throws {
        let store = FakeMessageStore()
        let first = MessageBench(store: store)
        _ = try await first.put()
        let second = MessageBench(store: store)
        let events = try await second.run {
            await second.messages.recover()
            try await second.end()
        }
        #expect(events.map(\.version) == [1])
    }

    @Test func `a preparation that the store does not report at once is found within a minute`() async throws {
        let store = FakeMessageStore()
        _ = try await MessageBench(store: store).put()
        let bench = MessageBench(store: store)
        let events = try await bench.run {
            await bench.bench.clock.waitForSleepers(1)
            bench.bench.clock.advance(by: .seconds(60))
            try await bench.end()
        }
        #expect(events.count == 1)
    }

    @Test func `a message that is replaced during its preparation has one event, for its last version`() async throws {
        let gate = Gate()
        let bench = MessageBench(CoordinatorBench(gate: gate))
        let events = try await bench.run {
            _ = try await bench.put()
            try await wait(for: "the first request") { bench.bench.coordinator.load.accepted == 1 }
            _ = try await bench.put(["aps": ["badge": 1]])
            try await wait(for: "the second request") { bench.bench.coordinator.load.accepted == 2 }
            gate.open()
            try await bench.end()
        }
        #expect(events.map(\.version) == [2])
    }

    @Test func `a preparation for which there is no room is tried again`() async throws {
        let gate = Gate()
        let bench = MessageBench(CoordinatorBench(gate: gate, capacity: 1))
        let events = try await bench.run {
            guard case .accepted = await bench.bench.coordinator.submit(bench.bench.submission("other")) else {
                Issue.record("the other request was not accepted")
                return
            }
            _ = try await bench.put()
            try await wait(for: "the next try") {
                bench.bench.clock.advance(by: .milliseconds(100))
                gate.open()
                return try bench.store.state(of: MessageBench.key(), for: .ios)?.isPreparing == false
            }
        }
        #expect(events.count == 1)
    }

    @Test func `a message whose file is gone has no content, and fails`() async throws {
        let bench = MessageBench(files: FakeFiles(areThere: false))
        let events = try await bench.run {
            _ = try await bench.put()
            try await bench.end()
        }
        #expect(events.map(\.state.hasFailed) == [true])
    }

    @Test func `the end of a preparation is stored when the disk accepts it`() async throws {
        let bench = MessageBench()
        bench.store.failPreparations(2)
        let events = try await bench.run {
            _ = try await bench.put()
            try await wait(for: "the second try") {
                bench.bench.clock.advance(by: .seconds(1))
                return try bench.store.state(of: MessageBench.key(), for: .ios)?.isPreparing == false
            }
        }
        #expect(events.count == 1)
    }

    @Test func `a wait ends with the preparation, at its instant, and when the caller leaves`() async throws {
        let gate = Gate()
        let bench = MessageBench(CoordinatorBench(gate: gate))
        _ = try await bench.run {
            _ = try await bench.put()
            let (key, clock) = (try MessageBench.key(), bench.bench.clock)
            await bench.messages.waitForPreparation(of: key, until: clock.now, unless: AsyncEvent())
            let gone = AsyncEvent()
            gone.signal()
            await bench.messages.waitForPreparation(
                of: key, until: clock.now.advanced(by: .seconds(10)), unless: gone)
            #expect(bench.store.state(of: key, for: .ios) == .preparing)
            async let end: Void = bench.messages.waitForPreparation(
                of: key, until: clock.now.advanced(by: .seconds(3_600)), unless: AsyncEvent())
            gate.open()
            await end
            #expect(bench.store.state(of: key, for: .ios) == .prepared(.rich, nil))
        }
    }

    @Test func `the removal of a message cancels its preparation, which has no event`() async throws {
        let bench = MessageBench(CoordinatorBench(gate: Gate()))
        let events = try await bench.run {
            _ = try await bench.put(for: [.ios, .web])
            try await wait(for: "the requests") { bench.bench.coordinator.load.running == 2 }
            #expect(await bench.messages.remove(try MessageBench.key("other"), if: .none) == .unknown)
            #expect(bench.bench.coordinator.load.running == 2)
            #expect(await bench.messages.remove(try MessageBench.key(), if: .none) == .removed)
            try await wait(for: "the results") { bench.bench.coordinator.load.emitted[.cancelled] == 2 }
        }
        #expect(events.isEmpty)
        #expect(bench.bench.journal.emissions.map(\.outcome) == [.cancelled, .cancelled])
    }
}
