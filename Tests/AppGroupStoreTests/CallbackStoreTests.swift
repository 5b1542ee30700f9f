import Base
import Foundation
import GRDB
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import RequestJournal

/// Tests of the messages to callback targets in the journal.
@Suite(.timeLimit(.minutes(1))) struct CallbackStoreTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    private static func routing(_ targets: CallbackRouting.Target...) -> CallbackRouting {
        CallbackRouting(targets: targets, linkBase: "https://push.example.com")
    }

    /// Emits a result, in the transaction of its request or in one of its own.
    private func emit(
        _ id: String, to recipient: String? = nil, callback: String? = nil, byteCount: Int = 0, atOnce: Bool = true,
        in journal: RequestJournal
    ) async throws {
        let entry = try bench.entry(id)
        var content = bench.content(of: entry, byteCount: byteCount)
        var names = ListedNames()
        (names.recipient, names.labels) = (recipient, ["x"])
        content.facts = EmittedFacts(names: names, callback: callback)
        #expect(await journal.accept(entry, with: atOnce ? content : nil) == .accepted)
        if !atOnce { #expect(await journal.publish(content, from: .detached).value()) }
    }

    private func due(_ target: String, in journal: RequestJournal, at date: Date = .now) async throws -> [Callback] {
        try #require(
            await journal.dueCallbacks(of: target, at: date.addingTimeInterval(1), afterStep: false, atMost: 100)
        ).callbacks
    }

    @Test func `a result has a message to each target that takes its type and its group`() async throws {
        try await bench.with { journal in
            let woken = Record<Set<String>>()
            let other = try #require(AppGroupName("group.other"))
            journal.route(
                by: Self.routing(
                    .init(name: "all"), .init(name: "rich", types: ["notification.rich"]),
                    .init(name: "bad", types: ["notification.fallback"], hasResult: false),
                    .init(name: "other", groups: .only([other])))
            ) { woken.append($0) }
            try await emit("a", to: "anna", in: journal)
            try await emit("b", atOnce: false, in: journal)
            for target in ["all", "bad"] {
                let callbacks = try await due(target, in: journal)
                #expect(callbacks.map(\.key.id.description) == ["a", "b"])
                #expect(Set(callbacks.map(\.id)).count == 2 && callbacks.allSatisfy { $0.id.hasPrefix("msg_") })
            }
            for target in ["rich", "other"] { #expect(try await due(target, in: journal).isEmpty) }
            #expect(woken.elements == [["all", "bad"], ["all", "bad"]])
            let body = try JSONParser.value(of: try #require(try await due("all", in: journal).first).body)
            #expect(body["type"] == "notification.fallback" && body["data"]?["reason"] == "http-status")
            #expect(body["data"]?["nextStep"]?.string?.isEmpty == false)
            #expect(body["data"]?["recipient"] == "anna" && body["data"]?["labels"] == ["x"])
            #expect(
                body["data"]?["link"] == "https://push.example.com/v1/notifications/a?group=group.default")
            #expect(body["data"]?["result"]?["outcome"] == "fallback")
            let short = try JSONParser.value(of: try #require(try await due("bad", in: journal).first).body)
            #expect(short["data"]?["result"] == nil)
        }
    }

    @Test func `a body has less than 20,000 bytes, and a larger result is only linked`() async throws {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            for (index, byteCount) in [0, 19_000, 20_000, 200_000].enumerated() {
                try await emit("r\(index)", byteCount: byteCount, in: journal)
            }
            let bodies = try await due("a", in: journal).map(\.body)
            #expect(bodies.allSatisfy { $0.count < CallbackBody.most })
            let results = try bodies.map { try JSONParser.value(of: $0)["data"]?["result"] != nil }
            #expect(results == [true, true, false, false])
        }
    }

    @Test func `without targets no message is stored, and preparations of named messages have none`() async throws {
        try await bench.with { journal in
            try await emit("a", in: journal)
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            try await emit("message-7-ios", in: journal)
            journal.route(by: nil) { _ in }
            try await emit("b", in: journal)
            #expect(try await due("a", in: journal).isEmpty)
        }
    }

    @Test func `an opt-out and its withdrawal have one message, in the transaction of the change`() async throws {
        try await bench.with { journal in
            let woken = Record<Set<String>>()
            let other = try #require(AppGroupName("group.other"))
            var target = CallbackRouting.Target(name: "sendios")
            (target.form, target.otherGroups, target.takesOptOuts) = (.sendios(senderID: 2), [other], true)
            journal.route(by: Self.routing(target, .init(name: "a"))) { woken.append($0) }
            func change(_ name: String, _ text: String, in group: AppGroupName = .default) async throws {
                let patch = try #require(try JSONParser.value(of: text).object)
                let name = RecipientName(group: group, name: name)
                let answer = await journal.apply([RecipientChange(name: name, kind: .patch(patch), condition: .none)])
                guard case .stored? = answer.first else { throw CancellationError() }
            }
            func messages() async throws -> [[JSONValue]] {
                try await due("sendios", in: journal).map { callback in
                    let body = try JSONParser.value(of: callback.body)
                    return [body["device_id"] ?? .null, body["subscribed"] ?? .null, .string(callback.type)]
                }
            }
            try await change("anna", #"{"permissions":{"download":false},"names":["anna@example.com"]}"#)
            try await change("ben", #"{"permissions":{"service":true}}"#)
            try await change("cem", #"{"permissions":{"service":false}}"#, in: other)
            #expect(try await messages().isEmpty && woken.elements.isEmpty)
            try await change("anna@example.com", #"{"permissions":{"service":false}}"#)
            #expect(try await messages() == [["anna", false, "recipient.unsubscribed"]])
            try await change("anna", #"{"permissions":{"service":false},"locale":"de"}"#)
            #expect(woken.elements == [["sendios"]])
            let first = try #require(try await due("sendios", in: journal).first)
            // The attempt of the first message is still running when the recipient opts in again.
            try await change("anna", #"{"permissions":{"service":null}}"#)
            #expect(await journal.store(CallbackAttempt(first, .pending, at: .now, dueAt: .now), nil))
            #expect(try await messages() == [["anna", true, "recipient.subscribed"]])
            let second = try #require(try await due("sendios", in: journal).first)
            #expect(second.id != first.id && second.key == first.key)
            #expect(await journal.store(CallbackAttempt(second, .delivered, at: .now), nil))
            try await change("anna", #"{"permissions":{"service":false}}"#)
            // A suppressed recipient opts out by the digest of its name.
            let dora = ErasureTarget(group: .default, kind: .recipient, name: "dora")
            var erasure = Erasure(id: "e", target: dora, requestedAt: .now)
            erasure.suppresses = true
            #expect(await journal.store(erasure))
            #expect(try await messages() == [["anna", false, "recipient.unsubscribed"]])
            #expect(try await due("a", in: journal).isEmpty)
        }
    }

    @Test func `a message does not wait for a clock that was set back`() async throws {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            for id in ["a", "b", "c"] { try await emit(id, in: journal) }
            let tried = try #require(try await due("a", in: journal).first)
            let (now, earlier) = (Date(), Date(timeIntervalSinceNow: -3_600))
            let attempt = CallbackAttempt(tried, .pending, at: now, dueAt: now.addingTimeInterval(60))
            #expect(await journal.store(attempt, nil))
            #expect(try await due("a", in: journal, at: earlier).isEmpty)
            let found = try #require(await journal.dueCallbacks(of: "a", at: earlier, afterStep: true, atMost: 100))
            #expect(found.hasStepped && found.callbacks.count == 3)
            let inOrder = try #require(await journal.dueCallbacks(of: "a", at: now, afterStep: true, atMost: 100))
            #expect(!inOrder.hasStepped && inOrder.callbacks.count == 2)
            // The due messages leave no room for the one that has stepped, so the journal is searched again.
            let full = try #require(await journal.dueCallbacks(of: "a", at: now, afterStep: true, atMost: 2))
            #expect(full.hasStepped && full.callbacks.count == 2)
        }
    }

    @Test func `a message survives a restart, and its attempts change it`() async throws {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            for id in ["a", "b", "c"] { try await emit(id, in: journal) }
        }
        try await bench.with { journal in
            let callbacks = try await due("a", in: journal)
            #expect(callbacks.map(\.key.id.description) == ["a", "b", "c"])
            let later = Date(timeIntervalSinceNow: 3_600)
            var record = CallbackTargetRecord(name: "a")
            (record.failingSince, record.failures) = (Date(timeIntervalSince1970: 1_800_000_000), 3)
            #expect(await journal.store(CallbackAttempt(callbacks[0], .delivered, at: .now), nil))
            #expect(await journal.store(CallbackAttempt(callbacks[1], .pending, at: .now, dueAt: later), record))
            #expect(await journal.store(CallbackAttempt(callbacks[2], .failed, at: .now), nil))
            #expect(try await due("a", in: journal).isEmpty)
            let found = try #require(await journal.dueCallbacks(of: "a", at: .now, afterStep: true, atMost: 1))
            #expect(abs(try #require(found.next).timeIntervalSince(later)) < 0.001)
            #expect(await journal.callbackTargets() == [record])
            #expect(await journal.callbackBacklogs()?["a"]?.pending == 1)
            #expect(await journal.recoverCallbacks(of: "a", since: .distantPast, after: 0, at: .now)?.count == 1)
            #expect(await journal.resendCallback(callbacks[0].id, at: .now) == true)
            #expect(await journal.resendCallback("msg_none", at: .now) == false)
            #expect(try await due("a", in: journal).map(\.key.id.description).sorted() == ["a", "c"])
            var query = CallbackQuery()
            (query.limit, query.target) = (2, "a")
            let page = try #require(await journal.callbacks(query))
            #expect(page.elements.map(\.key.id.description) == ["c", "b"] && page.next != nil)
            #expect(page.elements.allSatisfy { $0.body.isEmpty && $0.byteCount > 0 })
            query.before = page.next
            #expect(await journal.callbacks(query)?.elements.map(\.key.id.description) == ["a"])
            query = CallbackQuery()
            query.groups = []
            #expect(await journal.callbacks(query)?.elements.isEmpty == true)
            let one = try #require(await journal.callback(callbacks[0].id))
            #expect(one?.body == callbacks[0].body)
        }
    }

    @Test func `the first receipt of an event has a message`() async throws {
        try await bench.with { journal in
            try await emit("a", to: "anna", in: journal)
            journal.route(by: Self.routing(.init(name: "a", types: ["receipt.read"]))) { _ in }
            let id = try bench.entry("a").key.id
            for event in [Receipt.Event.read, .read, .delivered] {
                let receipt = Receipt(group: .default, target: .id(id), event: event, at: .now)
                #expect(await journal.store(receipt)?.count == 1)
            }
            let callbacks = try await due("a", in: journal)
            #expect(callbacks.map(\.type) == ["receipt.read"])
            let data = try JSONParser.value(of: callbacks[0].body)["data"]
            #expect(data?["event"] == "read" && data?["recipient"] == "anna" && data?["id"] == "a")
        }
    }

    @Test func `the URL of a request gets its result if a target permits the origin`() async throws {
        try await bench.with { journal in
            journal.route(
                by: Self.routing(
                    .init(name: "a", types: ["receipt.read"], requestOrigin: "https://a.example/"),
                    .init(name: "b", types: ["receipt.read"]))
            ) { _ in }
            try await emit("a", callback: "https://a.example/done?x=1", in: journal)
            for url in ["https://a.example.evil/", "https://b.example/", "http://a.example/"] {
                try await emit("r\(url.count)", callback: url, in: journal)
            }
            let callbacks = try await due("a", in: journal)
            #expect(callbacks.map(\.url) == ["https://a.example/done?x=1"])
            #expect(try await due("b", in: journal).isEmpty)
        }
        #expect(bench.warnings.contains { $0.contains("no target with requests: true has its origin") })
    }

    @Test func `a receipt of a provider's message is passed on once, with the ids of the result`() async throws {
        try await bench.with { journal in
            var sendios = CallbackRouting.Target(name: "sendios")
            sendios.form = .sendios(senderID: 2)
            var own = sendios
            (own.name, own.groups) = ("own", .only([.default]))
            sendios.otherGroups = [.default]
            journal.route(by: Self.routing(own, sendios)) { _ in }
            let entry = try bench.entry("a")
            var content = bench.content(of: entry)
            content.json = Array(#"{"details":{"senderId":"7","logicId":"l"}}"#.utf8)
            var names = ListedNames()
            (names.provider, names.providerID) = ("sendios", "p-100")
            content.facts = EmittedFacts(names: names, deliveryDetails: ["senderId": "7", "logicId": "l"])
            #expect(await journal.accept(entry, with: content) == .accepted)
            for event in [Receipt.Event.delivered, .clicked, .clicked, .read] {
                let receipt = Receipt(group: .default, target: .id(entry.key.id), event: event, at: .now)
                #expect(await journal.store(receipt)?.count == 1)
            }
            let callbacks = try await due("own", in: journal)
            #expect(callbacks.map(\.type) == ["receipt.delivered", "receipt.clicked"])
            for callback in callbacks {
                let body = try JSONParser.value(of: callback.body)
                #expect(body["push_id"] == "p-100" && body["sender_id"] == "7" && body["logic_id"] == "l")
            }
            #expect(try await due("sendios", in: journal).isEmpty)
        }
    }

    @Test(arguments: [
        (ErasureTarget.Kind.recipient, "anna", ["b"]), (.id, "b", ["a", "c"]), (.group, "", []),
    ])
    func `an erasure removes the messages about its target`(kind: ErasureTarget.Kind, name: String, left: [String])
        async throws
    {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            for (id, recipient) in [("a", "anna"), ("b", "ben"), ("c", "anna")] {
                try await emit(id, to: recipient, in: journal)
            }
            let target = ErasureTarget(group: .default, kind: kind, name: name)
            var counts = ErasureCounts()
            for _ in 0..<3 { counts += try await journal.erase(try await journal.nextStep(of: target, names: [])) }
            #expect(counts.callbacks == 3 - left.count)
            #expect(try await due("a", in: journal).map(\.key.id.description) == left)
        }
    }

    @Test(arguments: [
        (#"{"data":{"provider":null,"recipient":null,"result":"to secret-anna"}}"#, 1),
        (#"{"data":{"provider":"apns","recipient":null,"result":"to secret-anna"}}"#, 0),
    ])
    func `a message about a request of no dialect is found by its texts`(body: String, found: Int) async throws {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            try await emit("a", to: "ben", in: journal)
            let queue = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
            try await queue.write { database in
                try database.execute(sql: "UPDATE callback SET body = ?", arguments: [Data(body.utf8)])
                try database.execute(sql: "DELETE FROM request")
            }
            try queue.close()
            var step = ErasureStep(ErasureTarget(group: .default, kind: .recipient, name: "secret-anna"))
            step.recipientNames = ["secret-anna"]
            var (place, keys): (ErasureSearchPlace, Set<RequestKey>) = (ErasureSearchPlace(), [])
            while let (part, _) = try await journal.search(by: ErasureMatcher(step), from: &place) {
                keys.formUnion(part.keys)
            }
            #expect(keys.count == found)
            step.keys = keys
            #expect(try await journal.erase(step).callbacks == found)
        }
    }

    @Test func `ended messages are removed before pending ones, and the size is counted`() async throws {
        try await bench.with { _ in }
        let database = try bench.database()
        defer { database.close() }
        let routing = Self.routing(.init(name: "a"))
        try await database.database.write { database in
            let rows = CallbackRows(database)
            for index in 0..<10 {
                var content = bench.content(of: try bench.entry("r\(index)"), byteCount: 1_000)
                content.facts = EmittedFacts(names: ListedNames())
                _ = try rows.add(content, at: Double(index), by: routing)
            }
            let all = try rows.due(of: "a", at: .now, afterStep: false, atMost: 100).callbacks
            for callback in all.suffix(3) {
                try rows.store(CallbackAttempt(callback, .delivered, at: Date(timeIntervalSince1970: 100)))
            }
            let size = try #require(try Int.fetchOne(database, sql: "SELECT bytes FROM callbackTotals"))
            #expect(size == all.reduce(0) { $0 + $1.body.count + 256 })
            let none = try rows.forget(endedBefore: .distantPast, above: size, atMost: 500)
            #expect(none == (0, 0))
            let half = try rows.forget(endedBefore: .distantPast, above: size / 2, atMost: 500)
            #expect(half == (5, 2))
            #expect(
                try rows.due(of: "a", at: .now, afterStep: false, atMost: 100).callbacks.map(\.key.id.description).first
                    == "r2")
        }
    }

    @Test func `the quota takes pending messages from the target with the most of them`() async throws {
        try await bench.with { _ in }
        let database = try bench.database()
        defer { database.close() }
        try await database.database.write { database in
            let rows = CallbackRows(database)
            for index in 0..<20 {
                var content = bench.content(of: try bench.entry("r\(index)"), byteCount: 1_000)
                content.facts = EmittedFacts(names: ListedNames())
                let names = index < 5 ? ["good", "dead"] : ["dead"]
                _ = try rows.add(
                    content, at: Double(index), by: CallbackRouting(targets: names.map { .init(name: $0) }))
            }
            let size = try #require(try Int.fetchOne(database, sql: "SELECT bytes FROM callbackTotals"))
            let removed = try rows.forget(endedBefore: .distantPast, above: size / 2, atMost: 500)
            let left = try rows.backlogs().mapValues(\.pending)
            #expect(left == ["good": 5, "dead": 20 - removed.pending] && removed.pending >= 12)
            // The oldest messages are removed first.
            let next = try rows.due(of: "dead", at: .now, afterStep: false, atMost: 1).callbacks.first
            #expect(next?.key.id.description == "r\(removed.pending)")
            let rest = try rows.forget(endedBefore: .distantPast, above: 0, atMost: 500)
            #expect(rest.pending == 25 - removed.pending)
        }
    }

    @Test func `pending messages to a target that left the configuration are removed after the retention`()
        async throws
    {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "gone"), .init(name: "kept"))) { _ in }
            for id in ["a", "b"] { try await emit(id, in: journal) }
        }
        try await bench.with { journal in
            let late = Date(timeIntervalSinceNow: 8 * 86_400)
            // The targets are not known before the first call of `route`.
            _ = try await journal.removeOld(from: journal[CallbackTable.self], at: late)
            #expect(try await due("gone", in: journal).count == 2)
            journal.route(by: Self.routing(.init(name: "kept"))) { _ in }
            _ = try await journal.removeOld(from: journal[CallbackTable.self], at: .now)
            #expect(try await due("gone", in: journal).count == 2)
            _ = try await journal.removeOld(from: journal[CallbackTable.self], at: late)
            #expect(try await due("gone", in: journal).isEmpty)
            #expect(try await due("kept", in: journal).count == 2)
        }
        #expect(bench.warnings.contains { $0.hasPrefix("2 pending callbacks were removed after callbacks.retention") })
    }

    @Test func `a recovery finds failed messages by their index`() async throws {
        try await bench.with { _ in }
        let database = try bench.database()
        defer { database.close() }
        let plan = try await database.database.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + CallbackRows.failed, arguments: ["a", 0, 0, 9])
                .map { $0["detail"] as String }
        }
        #expect(plan.count == 1 && plan.allSatisfy { $0.contains("INDEX failedCallback") }, "\(plan)")
    }

    /// Runs a body while a read over a connection lasts.
    private func hold(_ reader: JournalReader, _ body: () async throws -> Void) async throws {
        let (begun, end) = (AsyncEvent(), DispatchSemaphore(value: 0))
        let reading = Task {
            try await reader.snapshot { _ in
                begun.signal()
                end.wait()
            }
        }
        await begun.wait()
        do { try await body() } catch {
            end.signal()
            throw error
        }
        end.signal()
        try await reading.value
    }

    @Test func `a list and a look for due messages do not wait for each other`() async throws {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            try await emit("a", in: journal)
            let id = try #require(try await due("a", in: journal).first).id
            try await hold(journal[CallbackTable.self].reader) {
                #expect(await journal.callbacks(CallbackQuery())?.elements.count == 1)
                let one = try #require(await journal.callback(id))
                #expect(one?.id == id)
            }
            try await hold(journal[CallbackTable.self].listReader) {
                let found = try await due("a", in: journal)
                #expect(found.count == 1)
            }
        }
    }

    @Test func `a late write of an older record does not replace a newer one`() async throws {
        try await bench.with { journal in
            var disabled = CallbackTargetRecord(name: "a")
            (disabled.disabledAt, disabled.reason) = (Date(timeIntervalSince1970: 1_800_000_000), "410")
            (disabled.failures, disabled.failedAt) = (1, disabled.disabledAt)
            disabled.version = 1
            var enabled = CallbackTargetRecord(name: "a")
            enabled.version = 2
            #expect(await journal.store(nil, disabled))
            #expect(await journal.callbackTargets() == [disabled])
            #expect(await journal.store(nil, enabled))
            #expect(await journal.store(nil, disabled))
            #expect(await journal.callbackTargets() == [enabled])
        }
    }

    @Test func `the last step of an erasure removes all messages whose notifications are not listed`() async throws {
        try await bench.with { _ in }
        let database = try bench.database()
        try await database.database.write { database in
            for index in 0..<1_200 {
                var content = bench.content(of: try bench.entry("r\(index)"))
                var names = ListedNames()
                names.recipient = index < 1_150 ? "anna" : "ben"
                content.facts = EmittedFacts(names: names)
                _ = try CallbackRows(database).add(content, at: 0, by: Self.routing(.init(name: "a")))
            }
        }
        database.close()
        try await bench.with { journal in
            let step = try await journal.nextStep(
                of: ErasureTarget(group: .default, kind: .recipient, name: "anna"), names: [])
            #expect(step.isLast)
            #expect(try await journal.erase(step).callbacks == 1_150)
            #expect(try await due("a", in: journal).count == 50)
            let again = try await journal.erase(step)
            #expect(again.callbacks == 0)
        }
    }

    @Test func `the messages of requests that are discarded after a disk error are removed`() async throws {
        try await bench.with { journal in
            journal.route(by: Self.routing(.init(name: "a"))) { _ in }
            for id in ["a", "b"] { try await emit(id, in: journal) }
        }
        let database = try bench.database()
        defer { database.close() }
        _ = try database.discard(after: 1)
        let left = try await database.database.read {
            try CallbackRows($0).due(of: "a", at: .now, afterStep: false, atMost: 9)
        }
        #expect(left.callbacks.map(\.key.id.description) == ["a"])
    }
}
