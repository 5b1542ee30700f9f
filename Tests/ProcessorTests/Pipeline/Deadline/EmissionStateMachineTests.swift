import NotificationProcessor
import Testing

@Suite struct EmissionStateMachineTests {
    typealias Machine = EmissionStateMachine<String>

    /// The events are two media items, the deadline and a cancel. Three more events must change nothing: a media item
    /// that ends again, and two media items that do not exist. The test tries all orders.
    @Test func `every order of events leads to one decision, with the results that arrived before it`() {
        let names = ["first", "second", "deadline", "cancel", "again", "third", "minus"]
        let events: [String: Machine.Event] = [
            "first": .ended(0, "a"), "second": .ended(1, "b"), "deadline": .deadlineReached, "cancel": .cancelled,
            "again": .ended(0, "A"), "third": .ended(2, "c"), "minus": .ended(-1, "d"),
        ]
        var orders = 0
        for order in Self.permutations(of: names) {
            var machine = Machine(count: 2)
            var decisions: [(at: Int, decision: Machine.Decision)] = []
            for (index, name) in order.enumerated() {
                guard let event = events[name] else { continue }
                if case .emit(let decision) = machine.handle(event) { decisions.append((index, decision)) }
            }
            func place(_ name: String) -> Int { order.firstIndex(of: name) ?? .max }
            let all = max(min(place("first"), place("again")), place("second"))
            let decided = min(all, place("deadline"), place("cancel"))
            let first = min(place("first"), place("again"))
            let expected: [String?] = [
                first > decided ? nil : place("again") == first ? "A" : "a", place("second") > decided ? nil : "b",
            ]
            #expect(decisions.count == 1, "\(order)")
            #expect(decisions.first?.at == decided, "\(order)")
            #expect(decisions.first?.decision.endings == expected, "\(order)")
            #expect(
                decisions.first?.decision.cause
                    == (decided == all ? .allEnded : decided == place("deadline") ? .deadlineReached : .cancelled),
                "\(order)")
            orders += 1
        }
        #expect(orders == 5_040)
    }

    @Test func `an event leads to waiting or to an emission, and a repeated or unknown event is ignored`() {
        var machine = Machine(count: 2)
        #expect(Self.kind(machine.handle(.ended(1, "b"))) == "wait")
        #expect(Self.kind(machine.handle(.ended(1, "b"))) == "ignore")
        #expect(Self.kind(machine.handle(.ended(2, "c"))) == "ignore")
        #expect(Self.kind(machine.handle(.ended(.max, "c"))) == "ignore")
        #expect(Self.kind(machine.handle(.ended(.min, "c"))) == "ignore")
        #expect(Self.kind(machine.handle(.ended(0, "a"))) == "emit")
        for event: Machine.Event in [.ended(0, "a"), .ended(7, "x"), .deadlineReached, .cancelled] {
            #expect(Self.kind(machine.handle(event)) == "ignore")
        }
    }

    @Test func `the deadline or a cancellation leads to the decision about a request without media`() {
        var machine = Machine(count: 0)
        #expect(Self.kind(machine.handle(.ended(0, "a"))) == "ignore")
        guard case .emit(let decision) = machine.handle(.deadlineReached) else {
            Issue.record("the deadline decides")
            return
        }
        #expect(decision.cause == .deadlineReached)
        #expect(decision.endings == [])
        #expect(Self.kind(machine.handle(.cancelled)) == "ignore")
    }

    @Test func `a substitute replaces a media item that is not ready at the deadline, or that fails for lack of time`()
    {
        func endings(_ events: Machine.Event...) -> [String?]? {
            var machine = Machine(count: 2)
            for event in events {
                if case .emit(let decision) = machine.handle(event) { return decision.endings }
            }
            return nil
        }
        #expect(endings(.substituted(0, "s"), .deadlineReached) == ["s", nil])
        #expect(endings(.substituted(0, "s"), .substituted(0, "t"), .deadlineReached) == ["t", nil])
        #expect(endings(.substituted(0, "s"), .cancelled) == [nil, nil])
        #expect(endings(.substituted(0, "s"), .ended(0, "a"), .deadlineReached) == ["a", nil])
        #expect(endings(.substituted(0, "s"), .ended(0, "late", takesSubstitute: true), .ended(1, "b")) == ["s", "b"])
        #expect(endings(.ended(0, "late", takesSubstitute: true), .ended(1, "b")) == ["late", "b"])
        #expect(endings(.ended(0, "a"), .substituted(0, "s"), .deadlineReached) == ["a", nil])
        #expect(endings(.substituted(2, "s"), .substituted(-1, "s"), .deadlineReached) == [nil, nil])
        #expect(endings(.substituted(0, "s"), .substituted(1, "t")) == nil)
    }

    @Test func `the unfinished media items are pending until the request is decided`() {
        var machine = Machine(count: 3)
        _ = machine.handle(.ended(1, "b"))
        _ = machine.handle(.substituted(0, "s"))
        #expect(machine.pending == [0, 2])
        _ = machine.handle(.cancelled)
        #expect(machine.pending == [])
    }

    private static func kind(_ action: Machine.Action) -> String {
        switch action {
        case .wait: "wait"
        case .emit: "emit"
        case .ignore: "ignore"
        }
    }

    private static func permutations(of names: [String]) -> [[String]] {
        guard names.count > 1 else { return [names] }
        return names.indices.flatMap { index in
            var others = names
            let name = others.remove(at: index)
            return permutations(of: others).map { [name] + $0 }
        }
    }
}
