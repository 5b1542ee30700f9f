import FoundationEssentials
import NotificationModel
import Testing

@testable import RequestCoordinator

@Suite(.timeLimit(.minutes(1)))
struct EventBroadcasterTests {
    private let log = EventBroadcaster(startedAt: Date(timeIntervalSince1970: 1_800_000_000))
    private let key: RequestKey

    init() throws { key = RequestKey(group: .default, id: try #require(RequestID("a"))) }

    private func tell(_ count: Int) {
        for _ in 0..<count { log.tell(.accepted, key, at: Date(timeIntervalSince1970: 0), elapsed: .zero) }
    }

    /// Returns the ids of events until the stream ends.
    private func ids(_ events: AsyncStream<RequestEvent>) async -> [String] {
        var ids: [String] = []
        for await event in events { ids.append(event.id) }
        return ids
    }

    @Test func `a stream resumes after a recent id, and begins with new events after an older id`() async {
        let all = log.subscribe(after: nil).events
        tell(3 * EventBroadcaster.capacity / 2)
        log.close()
        let known = await ids(all)
        for missed in [0, 1, EventBroadcaster.capacity - 1] {
            let rest = await ids(log.subscribe(after: known[known.count - 1 - missed]).events)
            #expect(rest == Array(known.suffix(missed)))
            #expect(log.subscribe(after: known[known.count - 1 - missed]).isWhole)
        }
        let tooOld = await ids(log.subscribe(after: known[known.count - 1 - EventBroadcaster.capacity]).events)
        #expect(tooOld == [])
        #expect(!log.subscribe(after: known[known.count - 1 - EventBroadcaster.capacity]).isWhole)
    }

    @Test(arguments: [
        "", "-", "-1", "1", "x-0-1", "RUN", "RUN-", "RUN-1", "RUN-0-", "RUN-0-0", "RUN-0--1", "RUN-0-4", "RUN-0-1_",
        "RUN-0-zzzzzzzzzzzzzzzzzzzz", "RUN-zzzzzzzzzzzzzzzzzzzz-1",
    ])
    func `an event id of another run or of another form is ignored`(id: String) async throws {
        let all = log.subscribe(after: nil).events
        tell(3)
        log.close()
        let run = try #require(await ids(all).first?.split(separator: "-").first)
        let rest = await ids(log.subscribe(after: id.replacing("RUN", with: run)).events)
        #expect(rest == [])
    }

    @Test func `a slow listener is disconnected, and can resume without a gap`() async throws {
        let slow = log.subscribe(after: nil).events
        let most = 2 * EventBroadcaster.capacity
        tell(most + 1)
        // The broadcaster is not closed yet, so it has ended the stream itself.
        let seen = await ids(slow)
        #expect(seen.count == most)
        #expect(Set(seen).count == most)
        let back = log.subscribe(after: seen.last).events
        log.close()
        #expect(await ids(back).count == 1)
    }

    @Test func `concurrent events are delivered and repeated in one order`() async throws {
        let events = log.subscribe(after: nil).events
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { tell(400) } }
        }
        log.close()
        let seen = await ids(events)
        #expect(Set(seen).count == 1_600)
        let first = seen[600]
        #expect(await ids(log.subscribe(after: first).events) == Array(seen[601...]))
    }

    @Test func `the ids of events do not show how many others there are`() async throws {
        let events = log.subscribe(after: nil).events
        tell(100)
        log.close()
        let numbers = await ids(events).compactMap { EventID($0)?.number }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 || $1 - $0 > 1_000_000 })
    }

    @Test func `an erased request takes no event of another one`() async throws {
        let other = RequestKey(group: .default, id: try #require(RequestID("b")))
        let events = log.subscribe(after: nil).events
        tell(1)
        for key in [other, key] { log.tell(.accepted, key, at: Date(timeIntervalSince1970: 0), elapsed: .zero) }
        log.forget([key])
        log.close()
        let all = await ids(events)
        let rest = log.subscribe(after: all[0])
        #expect(rest.isWhole)
        #expect(await ids(rest.events) == [all[1]])
    }
}
