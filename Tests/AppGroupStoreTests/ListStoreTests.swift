import Base
import Foundation
import GRDB
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import Features
@testable import RequestJournal

/// Tests of the lists of emitted notifications in the journal.
@Suite(.timeLimit(.minutes(1))) struct ListStoreTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    private static func names(
        recipient: String? = nil, thread: String? = nil, labels: [String] = [], provider: String? = nil
    ) -> ListedNames {
        var names = ListedNames()
        (names.recipient, names.thread, names.labels, names.provider) = (recipient, thread, labels, provider)
        return names
    }

    /// Emits a notification, and returns after its row is on the disk.
    private func emit(
        _ id: String, _ names: ListedNames = ListedNames(), _ outcome: Outcome = .rich,
        _ reason: DegradationReason? = nil, in journal: RequestJournal
    ) async throws {
        let entry = try bench.entry(id)
        var content = bench.content(of: entry)
        (content.outcome, content.reason, content.facts) = (outcome, reason, EmittedFacts(names: names))
        #expect(await journal.accept(entry, with: content) == .accepted)
    }

    private func ids(_ query: ListQuery, in journal: RequestJournal) async throws -> [String] {
        try #require(await journal.list(query)).elements.map(\.key.id.description)
    }

    /// Returns the ids on all pages of a query, and the number of pages.
    private func all(_ query: ListQuery, in journal: RequestJournal) async throws -> (ids: [String], pages: Int) {
        var (query, ids, pages): (ListQuery, [String], Int) = (query, [], 0)
        repeat {
            let page = try #require(await journal.list(query))
            ids += page.elements.map(\.key.id.description)
            query.after = page.next
            pages += 1
        } while query.after != nil && pages < 100
        return (ids, pages)
    }

    private static func query(_ change: (inout ListQuery) -> Void = { _ in }) -> ListQuery {
        var query = ListQuery(group: .default)
        change(&query)
        return query
    }

    @Test func `a list shows the emitted notifications that meet all conditions, the newest first`() async throws {
        try await bench.with { journal in
            try await emit("a", Self.names(recipient: "anna", thread: "t", labels: ["sale", "x"]), in: journal)
            try await emit(
                "b", Self.names(recipient: "bob", thread: "t", provider: "matrix"), .fallback, .httpStatus, in: journal)
            try await emit("c", Self.names(recipient: "anna", labels: ["x"]), .fallback, .budgetExceeded, in: journal)
            let expected: [([String], (inout ListQuery) -> Void)] = [
                (["c", "b", "a"], { _ in }), (["a", "b", "c"], { $0.order = .oldest }),
                (["c", "a"], { $0.recipients = ["anna"] }), (["c", "b", "a"], { $0.recipients = ["anna", "bob"] }),
                (["b", "a"], { $0.thread = "t" }), (["a"], { ($0.thread, $0.recipients) = ("t", ["anna"]) }),
                (["c", "a"], { $0.label = "x" }), (["a"], { $0.label = "sale" }), ([], { $0.label = "sal" }),
                (["b"], { $0.provider = "matrix" }), ([], { $0.provider = "braze" }),
                (["c", "b"], { $0.outcomes = [.fallback] }),
                (["b", "a"], { ($0.outcomes, $0.thread) = ([.rich, .fallback], "t") }),
                (["c"], { $0.reason = .budgetExceeded }), ([], { $0.reason = .cancelled }),
                ([], { $0.from = .now.addingTimeInterval(60) }),
                (["c", "b", "a"], { $0.to = .now.addingTimeInterval(60) }),
                ([], { $0.to = .now.addingTimeInterval(-60) }), ([], { $0.recipients = ["Anna"] }),
            ]
            for (ids, change) in expected {
                let query = Self.query(change)
                #expect(try await self.ids(query, in: journal) == ids, "\(query)")
            }
            let other = ListQuery(group: try #require(AppGroupName("group.other") as AppGroupName?))
            #expect(try await ids(other, in: journal) == [])
        }
    }

    @Test(arguments: [ListQuery.Order.newest, .oldest])
    func `the pages of a list show each notification once`(order: ListQuery.Order) async throws {
        try await bench.with { journal in
            let written = (0..<25).map { "m\(100 + $0)" }
            for (index, id) in written.enumerated() {
                try await emit(id, Self.names(recipient: ["anna", "token-1", "token-2"][index % 3]), in: journal)
            }
            for recipients in [nil, ["anna", "token-1", "token-2"]] {
                let query = Self.query { ($0.limit, $0.order, $0.recipients) = (4, order, recipients) }
                let found = try await all(query, in: journal)
                #expect(found.ids == (order == .oldest ? written : written.reversed()))
                #expect(found.pages == 7)
            }
        }
    }

    @Test func `notifications of one transaction have different places`() async throws {
        try await bench.with { journal in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<300 {
                    group.addTask { try await emit("m\(index)", in: journal) }
                }
                try await group.waitForAll()
            }
            let found = try await all(Self.query { $0.limit = 200 }, in: journal)
            #expect(Set(found.ids).count == 300 && found.ids.count == 300)
        }
    }

    @Test func `a name of any length and form finds its notification`() async throws {
        let long = String(repeating: "ü", count: 300)
        let names = [
            long, long + "x", "a\"b", "a,\"b", "\\", "\n", "日本", String(repeating: "e\u{301}", count: 200), "'; --",
        ]
        try await bench.with { journal in
            for (index, name) in names.enumerated() {
                try await emit("m\(index)", Self.names(recipient: name, thread: name, labels: [name]), in: journal)
            }
            for (index, name) in names.enumerated() {
                for query in [
                    Self.query { $0.recipients = [name] }, Self.query { $0.thread = name },
                    Self.query { $0.label = name },
                ] {
                    #expect(try await ids(query, in: journal) == ["m\(index)"], "\(query)")
                }
            }
        }
    }

    @Test func `a list outlives the results`() async throws {
        try await bench.with(resultRetention: .seconds(120)) { journal in
            try await emit("a", in: journal)
            try await bench.database().database.write { database in
                try database.execute(sql: "UPDATE request SET emittedAt = emittedAt - 200")
            }
            await journal.tidyEachMinute()
            let content = await journal.content(of: try bench.entry("a").key)
            #expect(content == nil)
            #expect(try await ids(Self.query(), in: journal) == ["a"])
        }
    }

    @Test func `listed notifications are removed after their retention, with their names`() async throws {
        let day = 86_400.0
        try await bench.with { journal in
            for id in ["a", "b"] { try await emit(id, Self.names(recipient: "anna", thread: "t"), in: journal) }
            let database = try bench.database()
            func removed(_ date: Date, above most: Int = 10) throws -> Int {
                var limits = ResultLimits()
                (limits.lists.retention, limits.lists.most) = (.zero, most)
                let table = ListTable(JournalContext(directory: bench.root, limits: limits))
                return try database.transaction(at: date) { transaction in
                    let before = try ListRows(transaction.database).total()
                    _ = try table.removeOld(atMost: 500, in: &transaction)
                    return try before - ListRows(transaction.database).total()
                }.value
            }
            #expect(try removed(.now.addingTimeInterval(-30 * day)) == 0)
            #expect(try removed(.distantPast, above: 1) == 1)
            #expect(try await ids(Self.query(), in: journal) == ["b"])
            #expect(try removed(.now.addingTimeInterval(day)) == 1)
            let left = try await database.database.read { database in
                try ["listed", "listedName"].map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") }
                    + [ListRows(database).total()]
            }
            #expect(left == [0, 0, 0])
        }
    }

    @Test func `threads have their newest notification and their count, each on one page`() async throws {
        try await bench.with { journal in
            for (id, thread) in [("1", "x"), ("2", "y"), ("3", "x"), ("4", "z"), ("5", "y"), ("6", "x")] {
                try await emit(id, Self.names(recipient: id == "6" ? "bob" : "anna", thread: thread), in: journal)
            }
            try await emit("7", in: journal)
            func threads(_ change: (inout ListQuery) -> Void) async throws -> [String] {
                var (query, found, pages): (ListQuery, [String], Int) = (Self.query(change), [], 0)
                repeat {
                    let page = try #require(await journal.threads(query))
                    found += page.elements.map { "\($0.first.names.thread ?? ""):\($0.first.key.id):\($0.count)" }
                    query.after = page.next
                    pages += 1
                } while query.after != nil && pages < 10
                return found
            }
            for limit in [1, 2, 10] {
                #expect(try await threads { $0.limit = limit } == ["x:6:3", "y:5:2", "z:4:1"])
                #expect(
                    try await threads { ($0.limit, $0.recipients) = (limit, ["anna"]) } == ["y:5:2", "z:4:1", "x:3:2"])
                #expect(try await threads { ($0.limit, $0.order) = (limit, .oldest) } == ["x:1:3", "y:2:2", "z:4:1"])
            }
        }
    }

    @Test func `a summary counts the outcomes and reasons of a recipient`() async throws {
        try await bench.with { journal in
            for id in ["a", "b"] {
                try await emit(id, Self.names(recipient: "anna"), .fallback, .wifiOnly, in: journal)
            }
            try await emit("c", Self.names(recipient: "anna"), in: journal)
            try await emit("d", Self.names(recipient: "bob"), in: journal)
            let summary = try #require(await journal.summary(Self.query { $0.recipients = ["anna"] }))
            #expect(
                summary.rows == [
                    .init(outcome: .fallback, reason: .wifiOnly, count: 2),
                    .init(outcome: .rich, reason: nil, count: 1),
                ])
            #expect(summary.isComplete)
        }
    }
}
