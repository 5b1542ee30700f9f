import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of event streams that go on after a time or after an event that the daemon has forgotten.
@Suite(.timeLimit(.minutes(1))) struct EventReplayTests {
    /// Lists with a notification in each second from 1,800,000,000 on.
    private struct Lists: NotificationListing {
        var count = 3
        let queries = Record<ListQuery>()

        func list(_ query: ListQuery) async -> ListPage<ListedNotification>? {
            queries.append(query)
            let all = (0..<count).map { index in
                var names = ListedNames()
                (names.recipient, names.thread) = (index == 1 ? "anna" : "ben", "t")
                return ListedNotification(
                    place: (1_800_000_000 + index) * 1_000_000, key: FakeCoordinator.key("m\(index)"), outcome: .rich,
                    reason: nil, names: names)
            }
            let rest = all.filter { $0.place > query.after ?? .min }
            let page = Array(rest.prefix(query.limit))
            return ListPage(elements: page, next: page.count < rest.count ? page.last?.place : nil)
        }

        func reaches(_ date: Date) async -> Bool { true }

        func threads(_ query: ListQuery) async -> ListPage<ListedThread>? { nil }
        func summary(_ query: ListQuery) async -> OutcomeSummary? { nil }
    }

    private static let id = EventID(run: "old", place: 1_800_000_000_000_000, number: 7).description

    /// Returns the texts of a stream before its first live event.
    private func replay(
        _ query: String = "", after id: String? = nil, _ lists: Lists?
    ) async throws -> [String] {
        let coordinator = FakeCoordinator(forgottenEvent: id)
        return try await ServerBench.run(coordinator: coordinator, listing: lists) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                let field = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
                try await connection.send("GET /v1/events\(query) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
                _ = try await connection.read(through: ":\n\n")
                coordinator.emit(FakeCoordinator.key("live"), eventID: "live")
                var text = try await connection.read(through: "id: live")
                while !text.contains("id: live") { text += try await connection.read(through: "id: live") }
                return text.components(separatedBy: "\n\n").dropLast().map { text in
                    // Chunks of the response have their sizes between the texts.
                    text.split(separator: "\n").filter { $0.contains(": ") }.joined(separator: "\n")
                }.filter { !$0.isEmpty }
            }
        }
    }

    @Test func `a stream from a time begins with the emissions since then`() async throws {
        let lists = Lists()
        let texts = try await replay("?from=2027-01-15T08:00:00Z", lists)
        #expect(texts.count == 3)
        let first = try #require(texts.first)
        #expect(first.contains("event: emitted") && first.contains(#""id":"m0""#), "\(first)")
        #expect(first.contains(#""at":"2027-01-15T08:00:00.000Z","elapsedMs":null"#), "\(first)")
        let query = try #require(lists.queries.elements.first)
        #expect(query.after == 1_799_999_999_999_999 && query.order == .oldest && query.isInAllGroups)
    }

    @Test func `a client whose last event is forgotten gets a gap, and the emissions since then`() async throws {
        let texts = try await replay(after: Self.id, Lists())
        #expect(texts.count == 4)
        #expect(texts.first?.contains("event: gap") == true)
        #expect(texts.first?.contains(#""emissions":"repeated"}"#) == true)
        #expect(texts.last?.contains(#""id":"m2""#) == true)
    }

    @Test func `a client that goes on after a repeated emission gets the next one`() async throws {
        let id = EventID(run: EventID.repeated, place: 1_800_000_001_000_000, number: 1).description
        let texts = try await replay(after: id, Lists())
        #expect(texts.count == 2 && texts.last?.contains(#""id":"m2""#) == true)
    }

    @Test(arguments: ["41", "x-y", "old-zzzzzzzzzzzzzzzz-1", "-1-1", "old--1", "old-1-0"])
    func `an id without a time gets a gap without emissions`(id: String) async throws {
        let texts = try await replay(after: id, Lists())
        #expect(texts.count == 1)
        #expect(texts.first?.contains(#"{"from":null"#) == true)
        #expect(texts.first?.contains(#""emissions":"missing"}"#) == true)
    }

    @Test func `a server without lists tells of the gap`() async throws {
        let texts = try await replay(after: Self.id, nil)
        #expect(texts.count == 1 && texts.first?.contains(#""emissions":"missing"}"#) == true)
    }

    @Test func `only emissions to the recipient and of the thread are repeated`() async throws {
        let lists = Lists()
        var filter = EventFilter(group: .default, outcomes: [.rich])
        (filter.recipients, filter.thread) = (["anna"], "t")
        var replay = EventReplay(lists, filter, from: 0, until: Date(timeIntervalSince1970: 2e9))
        guard case .events(let events) = await replay.next() else {
            Issue.record("The replay has no events.")
            return
        }
        #expect(events.filter(filter.admits).map(\.key.id.description) == ["m1"])
        filter.thread = "other"
        #expect(events.filter(filter.admits).isEmpty)
        let query = try #require(lists.queries.elements.first)
        #expect(query.recipients == ["anna"] && query.thread == "t" && !query.isInAllGroups)
    }

    @Test func `a stream repeats a limited number of emissions, and tells where the gap begins`() async throws {
        var replay = EventReplay(
            Lists(count: EventReplay.most + 500), EventFilter(), from: 0, until: Date(timeIntervalSince1970: 2e9))
        var (count, gap): (Int, Date?) = (0, nil)
        steps: while true {
            switch await replay.next() {
            case .events(let events): count += events.count
            case .gap(let date): gap = date
            case .end: break steps
            }
        }
        #expect(count == EventReplay.most)
        let expected = Date(timeIntervalSince1970: 1_800_000_000 + Double(EventReplay.most) - 1)
        #expect(gap.map { abs($0.timeIntervalSince(expected)) < 1 } == true)
    }
}
