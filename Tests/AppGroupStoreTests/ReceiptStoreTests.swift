import Foundation
import GRDB
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import Features
@testable import RequestJournal

/// Tests of the receipts of listed notifications in the journal.
@Suite(.timeLimit(.minutes(1))) struct ReceiptStoreTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    private func emit(
        _ id: String, to recipient: String? = nil, thread: String? = nil, message: String? = nil,
        in journal: RequestJournal
    ) async throws {
        let entry = try bench.entry(id)
        var content = bench.content(of: entry)
        var names = ListedNames()
        (names.recipient, names.thread, names.providerID) = (recipient, thread, message)
        content.facts = EmittedFacts(names: names)
        #expect(await journal.accept(entry, with: content) == .accepted)
    }

    private static func receipt(
        _ event: Receipt.Event, _ target: Receipt.Target, at date: Date = .now.addingTimeInterval(1),
        to recipients: [String]? = nil
    ) -> Receipt {
        var receipt = Receipt(group: .default, target: target, event: event, at: date)
        receipt.recipients = recipients
        return receipt
    }

    /// Returns the events of each listed notification, by its id.
    private func events(in journal: RequestJournal) async throws -> [String: [Receipt.Event: Date]] {
        let page = try #require(await journal.list(ListQuery(group: .default)))
        return Dictionary(uniqueKeysWithValues: page.elements.map { ($0.key.id.description, $0.receipts) })
    }

    @Test func `a receipt concerns the request, the message or the thread of its recipient`() async throws {
        try await bench.with { journal in
            try await emit("a", to: "anna", thread: "t", message: "m", in: journal)
            try await emit("b", to: "ben", thread: "t", message: "m", in: journal)
            try await emit("c", to: "anna", thread: "other", in: journal)
            let a = try bench.entry("a").key
            let expected: [(Receipt, [String])] = [
                (Self.receipt(.delivered, .id(a.id)), ["a"]),
                (Self.receipt(.clicked, .providerID("m")), ["a", "b"]),
                (Self.receipt(.dismissed, .providerID("m"), to: ["ben", "b2"]), ["b"]),
                (Self.receipt(.read, .thread("t"), to: ["anna"]), ["a"]),
                (Self.receipt(.read, .id(a.id), to: ["ben"]), []), (Self.receipt(.read, .thread("x")), []),
                (Self.receipt(.unseen, .thread("t"), at: .now.addingTimeInterval(-60)), []),
            ]
            for (receipt, ids) in expected {
                let keys = try #require(await journal.store(receipt))
                #expect(keys.map(\.id.description).sorted() == ids, "\(receipt)")
            }
            let events = try await events(in: journal)
            #expect(events["a"]?.keys.map(\.rawValue).sorted() == ["clicked", "delivered", "read"])
            #expect(events["b"]?.keys.map(\.rawValue).sorted() == ["clicked", "dismissed"])
            #expect(events["c"] == [:])
        }
    }

    @Test func `a notification keeps its first receipt of each event over a restart`() async throws {
        let (first, later) = (Date(timeIntervalSince1970: 1_800_000_000.25), Date(timeIntervalSince1970: 1_800_000_100))
        let id = try bench.entry("a").key.id
        try await bench.with { journal in
            try await emit("a", in: journal)
            for date in [first, later] {
                #expect(await journal.store(Self.receipt(.read, .id(id), at: date))?.count == 1)
            }
        }
        try await bench.with { journal in
            let events = try await events(in: journal)
            #expect(events["a"] == [.read: first])
        }
    }

    @Test func `the threads of a recipient count its unread notifications`() async throws {
        try await bench.with { journal in
            for index in 0..<3 { try await emit("a\(index)", to: "anna", thread: "t", in: journal) }
            try await emit("b", to: "ben", thread: "t", in: journal)
            let read = try bench.entry("a1").key.id
            #expect(await journal.store(Self.receipt(.read, .id(read)))?.count == 1)
            var query = ListQuery(group: .default)
            let all = try #require(await journal.threads(query)).elements.first
            #expect(all?.count == 4 && all?.unread == 3)
            query.recipients = ["anna"]
            let own = try #require(await journal.threads(query)).elements.first
            #expect(own?.count == 3 && own?.unread == 2)
        }
    }

    @Test func `a receipt of a long thread concerns its newest notifications, up to the limit`() async throws {
        try await bench.with { journal in
            for index in 0..<250 { try await emit("m\(index)", thread: "t", in: journal) }
            #expect(await journal.store(Self.receipt(.read, .thread("t")))?.count == 250)
            let thread = try #require(await journal.threads(ListQuery(group: .default))).elements.first
            #expect(thread?.count == ListedThread.most && thread?.unread == 0)
        }
    }

    @Test func `the receipts of a notification are removed together with it`() async throws {
        try await bench.with { journal in
            try await emit("a", to: "anna", in: journal)
            let id = try bench.entry("a").key.id
            #expect(await journal.store(Self.receipt(.read, .id(id)))?.count == 1)
            let target = ErasureTarget(group: .default, kind: .recipient, name: "anna")
            let step = try await journal.nextStep(of: target, names: [])
            _ = try await journal.erase(step)
        }
        try await bench.with { journal in
            try await emit("a", to: "anna", in: journal)
            #expect(try await events(in: journal)["a"] == [:])
        }
        let database = try bench.database()
        let count = try await database.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM receipt") }
        #expect(count == 0)
    }

    @Test func `a list of all groups has the notifications of each group`() async throws {
        try await bench.with { journal in
            try await emit("a", in: journal)
            try await emit("b", thread: "t", in: journal)
            var query = ListQuery(group: try #require(AppGroupName("group.other")))
            query.isInAllGroups = true
            let all = try #require(await journal.list(query))
            #expect(all.elements.map(\.key.id.description) == ["b", "a"])
            query.isInAllGroups = false
            let other = try #require(await journal.list(query))
            #expect(other.elements.isEmpty)
        }
    }

    @Test(arguments: ["sec\0ret", "\0", String(repeating: "x", count: 257) + "\0"])
    func `a thread with a NUL is found, read and erased`(thread: String) async throws {
        try await bench.with { journal in
            try await emit("a", thread: thread, in: journal)
            try await emit("b", thread: "sec", in: journal)
            #expect(await journal.store(Self.receipt(.read, .thread(thread)))?.map(\.id.description) == ["a"])
            let step = try await journal.nextStep(
                of: ErasureTarget(group: .default, kind: .thread, name: thread),
                names: [])
            #expect(step.listed.map(\.key.id.description) == ["a"])
        }
    }

    @Test func `preparations of named messages are not unread, and no receipt takes them back`() async throws {
        try await bench.with { journal in
            try await emit("message-7-ios", thread: "t", in: journal)
            try await emit("message-7-extra-ios", thread: "u", in: journal)
            let threads = try #require(await journal.threads(ListQuery(group: .default))).elements
            #expect(threads.map(\.unread) == [0, 0])
        }
        #expect(try #require(RequestID("message-7-ios")).isOfPreparation)
        for id in ["message-7", "message--ios", "message-x-ios", "message-7-none", "a-7-ios"] {
            #expect(try !#require(RequestID(id)).isOfPreparation, "\(id)")
        }
    }

    @Test func `the lists tell whether they reach back to a time`() async throws {
        try await bench.with { journal in
            #expect(await journal.reaches(.now.addingTimeInterval(-60)))
            #expect(await !journal.reaches(.now.addingTimeInterval(-31 * 86_400)))
        }
    }

    @Test func `a receipt that comes before its message is in the index`() async throws {
        try await StoreFixture.with { fixture in
            let id = try #require(RequestID("m"))
            let receipt = Self.receipt(.read, .id(id), at: Date(timeIntervalSince1970: 1_800_000_000))
            let key = RequestKey(group: StoreFixture.group, id: id)
            var own = receipt
            own.group = StoreFixture.group
            await fixture.store.show(own, for: [key])
            var message = StoreFixture.message(id, [])
            message.content = MessageContent(outcome: .rich, text: NotificationText(title: "T", body: "B"))
            try await fixture.store.record(message, in: StoreFixture.group)
            #expect(try await fixture.rows("SELECT readAt FROM message") == ["1800000000"])
        }
    }
}
