import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of the routes of lists, over a port that answers with fixed pages.
@Suite(.timeLimit(.minutes(1))) struct ListTests {
    /// A port that records its questions. A list has one notification, and ends after the place 7.
    private final class Lists: NotificationListing {
        let queries = Record<ListQuery>()
        let isBroken: Bool

        init(isBroken: Bool = false) { self.isBroken = isBroken }

        private func listed(_ query: ListQuery) -> ListedNotification {
            var names = ListedNames()
            (names.recipient, names.thread, names.labels) = ("anna", "t", ["sale"])
            return ListedNotification(
                place: 1_800_000_000_250_000, key: FakeCoordinator.key("a"), outcome: .fallback,
                reason: .budgetExceeded, names: names)
        }

        func list(_ query: ListQuery) async -> ListPage<ListedNotification>? {
            queries.append(query)
            return isBroken ? nil : ListPage(elements: [listed(query)], next: query.after == 7 ? nil : 7)
        }

        func reaches(_ date: Date) async -> Bool { true }

        func threads(_ query: ListQuery) async -> ListPage<ListedThread>? {
            queries.append(query)
            let thread = ListedThread(first: listed(query), count: 3, unread: 2)
            return isBroken ? nil : ListPage(elements: [thread], next: nil)
        }

        func summary(_ query: ListQuery) async -> OutcomeSummary? {
            queries.append(query)
            let row = OutcomeSummary.Row(outcome: .fallback, reason: .wifiOnly, count: 14)
            return isBroken ? nil : OutcomeSummary(rows: [row], isComplete: true)
        }
    }

    private func json(_ answer: RawAnswer) throws -> JSONValue { try JSONParser.value(of: Array(answer.body.utf8)) }

    @Test func `a page has the notifications, and the cursor of the next page`() async throws {
        let lists = Lists()
        try await ServerBench.run(listing: lists) { server in
            let first = try await server.send("GET", "/v1/notifications?recipient=anna&limit=1")
            #expect(first.status == 200)
            let page = try json(first)
            let expected: JSONValue = [
                "id": "a", "appGroup": "group.default", "emittedAt": "2027-01-15T08:00:00.250Z",
                "outcome": "fallback", "reason": "budget-exceeded", "provider": nil, "providerId": nil,
                "recipient": "anna", "thread": "t", "labels": ["sale"], "receipts": [:],
            ]
            #expect(page["notifications"] == [expected])
            let cursor = try #require(page["next"]?.string)
            let last = try await server.send("GET", "/v1/notifications?recipient=anna&limit=1&cursor=\(cursor)")
            #expect(try json(last)["next"] == .null)
            #expect(lists.queries.elements.map(\.after) == [nil, 7])
            #expect(lists.queries.elements.map(\.recipients) == [["anna"], ["anna"]])
        }
    }

    @Test func `a client that has the page already gets 304 without it`() async throws {
        try await ServerBench.run(listing: Lists()) { server in
            for path in ["/v1/notifications", "/v1/threads"] {
                let first = try await server.send("GET", path)
                let tag = try #require(first["etag"])
                let second = try await server.send("GET", path, ["If-None-Match: \(tag)"])
                #expect(second.status == 304 && second.body.isEmpty)
                let other = try await server.send("GET", path, ["If-None-Match: \"other\""])
                #expect(other.status == 200)
            }
        }
    }

    @Test func `the content of a notification is its result, or null`() async throws {
        let coordinator = FakeCoordinator()
        let key = FakeCoordinator.key("a")
        try await ServerBench.run(coordinator: coordinator, listing: Lists()) { server in
            let without = try await server.send("GET", "/v1/notifications?content=true")
            #expect(try json(without)["notifications"]?.array?.first?["content"] == .null)
            let content = EmittedContent(
                key: key, outcome: .fallback, reason: .budgetExceeded, json: Array(#"{"id":"a"}"#.utf8))
            coordinator.set(.emitted(content), of: key)
            let with = try await server.send("GET", "/v1/notifications?content=true")
            #expect(try json(with)["notifications"]?.array?.first?["content"] == ["id": "a"])
        }
    }

    @Test func `threads and summaries are answered`() async throws {
        let lists = Lists()
        try await ServerBench.run(listing: lists) { server in
            let threads = try json(await server.send("GET", "/v1/threads"))
            #expect(threads["threads"]?.array?.first?["count"]?.integer == 3)
            #expect(threads["threads"]?.array?.first?["unread"]?.integer == 2)
            let summary = try json(await server.send("GET", "/v1/recipients/anna/summary?from=2026-11-01T00:00:00Z"))
            #expect(summary["count"]?.integer == 14 && summary["isComplete"]?.bool == true)
            #expect(summary["outcomes"] == [["outcome": "fallback", "reason": "wifi-only", "count": 14]])
            #expect(lists.queries.elements.last?.recipients == ["anna"])
        }
    }

    @Test(arguments: [
        "limit=0", "limit=201", "limit=x", "cursor=", "cursor=a-b", "cursor=zzzzzzzzzzzzz", "order=up", "outcome=good",
        "reason=bad", "from=yesterday", "from=2026-02-30T00:00:00Z", "to=1", "recipient=", "recipient=a%00b",
        "content=yes", "group=.hidden", "page=2", "limit=1&limit=2",
    ])
    func `a wrong parameter of a list is refused with its name`(query: String) async throws {
        try await ServerBench.run(listing: Lists()) { server in
            let answer = try await server.send("GET", "/v1/notifications?\(query)")
            #expect(answer.status == 400)
            let name = String(query.prefix { $0 != "=" })
            #expect(try json(answer)["parameter"]?.string == name)
        }
    }

    @Test func `lists that cannot be read are 503`() async throws {
        try await ServerBench.run(listing: Lists(isBroken: true)) { server in
            for path in ["/v1/notifications", "/v1/threads", "/v1/recipients/anna/summary"] {
                let answer = try await server.send("GET", path)
                #expect(answer.status == 503)
            }
        }
    }
}
