import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

@Suite struct RequestCoordinatorTests {
    @Test func `an accepted request is emitted once, and its result can be read afterwards`() async throws {
        let bench = CoordinatorBench()
        try await bench.run {
            guard case .accepted(let key) = await bench.coordinator.submit(bench.submission("a")) else {
                Issue.record("not accepted")
                return
            }
            let content = await bench.coordinator.content(of: key)
            #expect(content?.outcome == .rich)
            let state = await bench.coordinator.state(of: key)
            #expect(state == content.map(RequestState.emitted))
            let again = await bench.coordinator.content(of: key)
            #expect(again == content)
        }
        #expect(bench.journal.emissions.count == 1)
        #expect(bench.coordinator.load.emitted == [.rich: 1])
        #expect(bench.coordinator.load.queued == 0)
    }

    @Test func `a payload is parsed once, and is processed in the parsed form`() async throws {
        let bench = CoordinatorBench()
        try await bench.run {
            let submission = bench.submission("a", .detached, ["providerId": "p-1"])
            guard case .accepted(let key) = await bench.coordinator.submit(submission) else {
                Issue.record("not accepted")
                return
            }
            let content = try #require(await bench.coordinator.content(of: key))
            #expect(try JSONParser.value(of: content.json)["providerId"]?.string == "p-1")
        }
        #expect(bench.decoder.decodings == 1)
    }

    @Test func `only a large payload is processed in the executor of large payloads`() async throws {
        let bench = CoordinatorBench()
        try await bench.run {
            for (id, count) in [
                ("small", LargePayloadExecutor.threshold), ("large", LargePayloadExecutor.threshold + 1),
            ] {
                let body = [UInt8](repeating: 1, count: count)
                _ = await bench.coordinator.submit(bench.submission(id, body: body))
                _ = await bench.coordinator.content(of: try bench.key(id))
            }
        }
        #expect(bench.decoder.processedInLane == ["large"])
    }

    @Test func `requests with the same key and body get the same single result, before and after the emission`()
        async throws
    {
        let gate = Gate()
        let bench = CoordinatorBench(gate: gate)
        try await bench.run {
            let key = try bench.key("a")
            _ = await bench.coordinator.submit(bench.submission("a"))
            guard case .joined(key) = await bench.coordinator.submit(bench.submission("a")) else {
                Issue.record("not joined in flight")
                return
            }
            guard case .conflict(key) = await bench.coordinator.submit(bench.submission("a", body: [2])) else {
                Issue.record("another body joined")
                return
            }
            gate.open()
            _ = await bench.coordinator.content(of: key)
            guard case .joined(key) = await bench.coordinator.submit(bench.submission("a")) else {
                Issue.record("not joined afterwards")
                return
            }
        }
        #expect(bench.journal.emissions.count == 1)
    }

    /// The request is submitted again after its result was published, and the journal has not answered yet.
    @Test func `a published result is found while its key is submitted again`() async throws {
        let later = Gate()
        let bench = CoordinatorBench(journal: FakeJournal(laterAcceptance: later))
        try await bench.run {
            let submission = bench.submission("a")
            guard case .accepted(let key) = await bench.coordinator.submit(submission) else {
                Issue.record("not accepted")
                return
            }
            try await wait(for: "the result") { bench.coordinator.load.queued + bench.coordinator.load.running == 0 }
            async let again = bench.coordinator.submit(submission)
            try await wait(for: "the request") { bench.coordinator.load.queued > 0 }
            let content = await bench.coordinator.content(of: key)
            #expect(content?.key == key)
            guard case .emitted? = await bench.coordinator.state(of: key) else {
                Issue.record("its state is not the journal's")
                return
            }
            later.open()
            guard case .joined(key) = await again else {
                Issue.record("not joined")
                return
            }
        }
    }

    /// Each round is a race between the joining callers and the answer of the journal.
    @Test func `callers that join before the journal answers share its answer`() async throws {
        for _ in 0..<300 {
            let acceptance = Gate()
            let bench = CoordinatorBench(
                journal: FakeJournal(answer: .failed("the disk is full"), acceptance: acceptance))
            try await bench.run {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<3 { group.addTask { await bench.coordinator.submit(bench.submission("a")) } }
                    try await wait(for: "the request") { bench.coordinator.load.queued > 0 }
                    acceptance.open()
                    for try await admission in group {
                        guard case .failed("the disk is full") = admission else {
                            Issue.record("\(admission)")
                            continue
                        }
                    }
                }
            }
            #expect(bench.coordinator.load.accepted == 0)
            #expect(bench.coordinator.load.queued == 0)
        }
    }

    @Test func `requests beyond the capacity are refused at once, until an accepted request is emitted`() async throws {
        let gate = Gate()
        let bench = CoordinatorBench(gate: gate, capacity: 2)
        try await bench.run {
            for id in ["a", "b"] { _ = await bench.coordinator.submit(bench.submission(id)) }
            guard case .full(let pause) = await bench.coordinator.submit(bench.submission("c")) else {
                Issue.record("taken")
                return
            }
            #expect(pause > .zero)
            gate.open()
            for id in ["a", "b"] { _ = await bench.coordinator.content(of: try bench.key(id)) }
            guard case .accepted = await bench.coordinator.submit(bench.submission("c")) else {
                Issue.record("not taken")
                return
            }
        }
        #expect(bench.journal.emissions.count == 3)
    }

    @Test func `an unusable envelope is not accepted`() async throws {
        let bench = CoordinatorBench()
        guard case .unusable(let error) = await bench.coordinator.submit(bench.submission("a", .call, ["unusable": 1]))
        else {
            Issue.record("taken")
            return
        }
        #expect(error.key == "unusable")
        #expect(bench.coordinator.load.accepted == 0)
    }

    @Test func `a cancellation by request id or provider id emits the request at once`() async throws {
        let bench = CoordinatorBench(gate: Gate())
        try await bench.run {
            for id in ["a", "b", "c"] {
                _ = await bench.coordinator.submit(
                    bench.submission(id, .detached, ["providerId": id == "a" ? "one" : "two"]))
            }
            let (key, other) = (try bench.key("a"), try bench.key("z"))
            #expect(await bench.coordinator.cancel(key) == .cancelled)
            #expect(await bench.coordinator.content(of: key)?.outcome == .cancelled)
            #expect(await bench.coordinator.cancel(key) == .cancelled, "the result of a second cancel is the same")
            #expect(await bench.coordinator.cancel(other) == .unknown)
            let cancelled = await bench.coordinator.cancel(providerID: "two", in: nil)
            #expect(Set(cancelled.map(\.id.description)) == ["b", "c"])
        }
        #expect(bench.coordinator.load.emitted == [.cancelled: 3])
    }

    @Test func `a request without a key is cancelled when its caller is cancelled, and a keyed request continues`()
        async throws
    {
        let gate = Gate()
        let bench = CoordinatorBench(gate: gate)
        try await bench.run {
            // A request is keyed by its submission, or by an id in its envelope.
            let submissions = [
                ("call", bench.submission("call", .call)), ("keyed", bench.submission("keyed", .detached)),
                ("named", bench.submission("named", .call, ["keyed": 1])),
            ]
            for (id, submission) in submissions {
                let key = try bench.key(id)
                _ = await bench.coordinator.submit(submission)
                let caller = Task { await bench.coordinator.content(of: key) }
                caller.cancel()
                #expect(await caller.value == nil)
            }
            let call = await bench.coordinator.content(of: try bench.key("call"))
            #expect(call?.outcome == .cancelled)
            gate.open()
            for id in ["keyed", "named"] {
                let content = await bench.coordinator.content(of: try bench.key(id))
                #expect(content?.outcome == .rich)
            }
        }
    }

    @Test func `a request without a key is cancelled when its caller is cancelled before it waits`() async throws {
        let bench = CoordinatorBench(gate: Gate())
        try await bench.run {
            let key = try bench.key("call")
            _ = await bench.coordinator.submit(bench.submission("call", .call))
            let caller = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await bench.coordinator.content(of: key)
            }
            #expect(await caller.value == nil)
            #expect(await bench.coordinator.content(of: key)?.outcome == .cancelled)
        }
    }

    @Test func `a caller does not wait beyond the deadline if the disk does not respond`() async throws {
        let (publication, composition) = (Gate(), Gate())
        let bench = CoordinatorBench(journal: FakeJournal(publication: publication, composition: composition))
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a", .call))
            let key = try bench.key("a")
            let caller = Task { await bench.coordinator.content(of: key) }
            await bench.clock.waitForSleepers()
            // The result is composed and not durable, so it is not reported before the deadline.
            await composition.wait()
            #expect(await bench.coordinator.state(of: key) == .running)
            bench.clock.advance(by: .seconds(30))
            #expect(await caller.value?.outcome == .rich)
            #expect(bench.journal.emissions.isEmpty)
            publication.open()
        }
        #expect(bench.journal.emissions.count == 1)
    }

    @Test func `a disk that accepts no write does not delay a closing coordinator or a caller`() async throws {
        let (publication, composition) = (Gate(), Gate())
        let bench = CoordinatorBench(journal: FakeJournal(publication: publication, composition: composition))
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a", .call))
            let key = try bench.key("a")
            let caller = Task { await bench.coordinator.content(of: key) }
            await composition.wait()
            bench.coordinator.close()
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .seconds(30))
            #expect(await caller.value?.outcome == .rich)
            // The coordinator waits one second more, in which a disk that is only slow may accept the result.
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: .seconds(1))
        }
        #expect(bench.journal.emissions.isEmpty)
    }

    @Test func `a recovered request keeps its deadline, and is emitted without media after two attempts`() async throws
    {
        let clock = ManualClock()
        func entry(_ id: String, _ channel: RequestChannel, attempts: Int) throws -> JournalEntry {
            JournalEntry(
                key: RequestKey(group: .default, id: try #require(RequestID(id))), channel: channel, fingerprint: [1],
                body: Array("{}".utf8), receivedAt: clock.date.addingTimeInterval(-20),
                deadline: clock.date.addingTimeInterval(10), attempts: attempts)
        }
        let bench = CoordinatorBench(
            journal: FakeJournal(recovered: [
                try entry("once", .spool(fileName: "once.json"), attempts: 1),
                try entry("twice", .detached, attempts: 2),
                try entry("gone", .call, attempts: 1),
            ]))
        let recovered = try await bench.coordinator.recover()
        let once = try bench.key("once")
        #expect(recovered[once] == .spool(fileName: "once.json"))
        #expect(recovered.count == 3)
        try await bench.run {}
        let results = Dictionary(uniqueKeysWithValues: bench.journal.emissions.map { ($0.key.id.description, $0) })
        #expect(results["once"]?.outcome == .rich)
        #expect(results["twice"]?.reason == .internal)
        #expect(results["gone"]?.outcome == .cancelled)
        let json = try JSONParser.value(of: try #require(results["once"]).json)
        #expect(json.object?["timing"]?.object?["budgetMs"]?.integer == 30_000)
    }

    @Test func `a closing coordinator refuses new requests, and finishes the running requests`() async throws {
        let gate = Gate()
        let bench = CoordinatorBench(gate: gate)
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a"))
            bench.coordinator.close()
            guard case .closing = await bench.coordinator.submit(bench.submission("b")) else {
                Issue.record("taken")
                return
            }
            gate.open()
        }
        #expect(bench.journal.emissions.map(\.key.id.description) == ["a"])
    }

    @Test func `each event of a request names its recipient`() async throws {
        let bench = CoordinatorBench()
        let all = bench.coordinator.events(after: nil)
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a", .detached, ["recipient": "USR/ana"]))
            _ = await bench.coordinator.content(of: try bench.key("a"))
        }
        var recipients: [String?] = []
        for await event in all { recipients.append(event.recipient) }
        #expect(recipients == Array(repeating: "be9a783c93457f5a4e6dae9fe3d23be3", count: 3))
    }

    @Test func `each event of a request has its labels`() async throws {
        let bench = CoordinatorBench()
        let all = bench.coordinator.events(after: nil)
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a", .detached, ["labels": ["vip", "eu"]]))
            _ = await bench.coordinator.content(of: try bench.key("a"))
        }
        var labels: [[String]] = []
        for await event in all { labels.append(event.labels) }
        #expect(labels == [["vip", "eu"], ["vip", "eu"], ["vip", "eu"]])
    }

    @Test func `events report the phases of a request, and resume after the last received event`() async throws {
        let bench = CoordinatorBench()
        let all = bench.coordinator.events(after: nil)
        try await bench.run {
            _ = await bench.coordinator.submit(bench.submission("a"))
            _ = await bench.coordinator.content(of: try bench.key("a"))
        }
        var seen: [RequestEvent] = []
        for await event in all { seen.append(event) }
        #expect(seen.map(\.kind) == [.accepted, .started, .emitted(.rich, nil)])
        #expect(Set(seen.map(\.id)).count == 3)
        var rest: [RequestEvent] = []
        for await event in bench.coordinator.events(after: seen.first?.id) { rest.append(event) }
        #expect(rest == Array(seen.dropFirst()))
    }
}
