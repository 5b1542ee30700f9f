import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

@Suite struct RequestTableTests {
    private let key: RequestKey
    private let content: EmittedContent

    init() throws {
        key = RequestKey(group: .default, id: try #require(RequestID("a")))
        content = EmittedContent(key: key, outcome: .rich, reason: nil, json: [])
    }

    /// Returns a table with one request, which is accepted by default.
    private func table(_ channel: RequestChannel, capacity: Int = 10, isAccepted: Bool = true) -> RequestTable {
        var table = RequestTable(capacity: capacity)
        _ = table.enter(key, fingerprint: [1], providerID: "p", channel: channel, as: 0)
        if isAccepted { _ = table.accepted(key) }
        return table
    }

    @Test(
        arguments: [
            (.detached, .detached, 1, .joined), (.call, .call, 1, .joined), (.call, .detached, 1, .joined),
            (.detached, .call, 1, .joined), (.detached, .detached, 2, .conflict),
            (.detached, .spool(fileName: "a.json"), 1, .conflict),
            (.spool(fileName: "a.json"), .detached, 1, .joined), (.spool(fileName: "a.json"), .call, 2, .conflict),
            (.spool(fileName: "a.json"), .spool(fileName: "a.json"), 1, .conflict),
        ] as [(RequestChannel, RequestChannel, UInt8, RequestTable.Entrance)])
    func `a request joins another request with the same id and body, and a spool file joins no request`(
        first: RequestChannel, second: RequestChannel, fingerprint: UInt8, expected: RequestTable.Entrance
    ) {
        var table = table(first)
        let entrance = table.enter(key, fingerprint: [fingerprint], providerID: nil, channel: second, as: 1)
        #expect(entrance == expected)
    }

    @Test func `a caller that joins before the journal answers waits for this answer`() {
        var table = table(.detached, isAccepted: false)
        let entrance = table.enter(key, fingerprint: [1], providerID: nil, channel: .detached, as: 7)
        #expect(entrance == .joins)
        let joining = table.accepted(key)
        #expect(joining == [7])
    }

    @Test func `a request that the journal refuses is removed from the table`() {
        var table = table(.detached, isAccepted: false)
        _ = table.enter(key, fingerprint: [1], providerID: nil, channel: .detached, as: 7)
        let joining = table.refused(key)
        #expect(joining == [7])
        let state = table.state(of: key)
        #expect(state == nil)
        let count = table.count
        #expect(count == 0)
    }

    @Test func `a group with its maximum number of requests is full, and other groups are not`() throws {
        var table = table(.detached)
        let id = try #require(RequestID("b"))
        let (same, other) = (
            RequestKey(group: .default, id: id), RequestKey(group: try #require(AppGroupName("b")), id: id)
        )
        func enter(_ key: RequestKey) -> RequestTable.Entrance {
            table.enter(key, fingerprint: [2], providerID: nil, channel: .detached, as: 1, maxOfGroup: 1)
        }
        #expect(enter(same) == .groupFull)
        #expect(enter(other) == .new)
        let joined = table.enter(key, fingerprint: [1], providerID: nil, channel: .detached, as: 2, maxOfGroup: 1)
        #expect(joined == .joined, "a request that is known needs no place")
        _ = table.published(key)
        #expect(enter(same) == .new)
        _ = table.refused(same)
        #expect(enter(same) == .new)
    }

    @Test func `a full table refuses new requests, and accepts recovered requests`() throws {
        var table = table(.detached, capacity: 1)
        let other = RequestKey(group: .default, id: try #require(RequestID("b")))
        let entrance = table.enter(other, fingerprint: [2], providerID: nil, channel: .detached, as: 1)
        #expect(entrance == .full)
        table.recover(other, fingerprint: [2], providerID: nil, channel: .detached)
        let state = table.state(of: other)
        #expect(state == .queued)
    }

    @Test(
        arguments: [(.call, true), (.detached, false), (.spool(fileName: "a.json"), false)] as [(RequestChannel, Bool)])
    func `a recovered request is cancelled only if it was submitted by a call that waited for the result`(
        channel: RequestChannel, isCancelled: Bool
    ) {
        var table = RequestTable(capacity: 1)
        table.recover(key, fingerprint: [1], providerID: nil, channel: channel)
        let answer = table.isCancelled(key)
        #expect(answer == isCancelled)
    }

    @Test func `a request without a key is cancelled when its last caller is cancelled`() {
        var table = table(.call)
        _ = table.wait(for: key, as: 1)
        _ = table.wait(for: key, as: 2)
        var isEnded = table.leave(key, as: 1)
        #expect(!isEnded)
        isEnded = table.leave(key, as: 2)
        #expect(isEnded)
        let isCancelled = table.isCancelled(key)
        #expect(isCancelled)
    }

    @Test func `a request without a key is cancelled if its last caller is cancelled before this caller waits`() {
        var table = table(.call)
        let isEnded = table.leave(key, as: 1)
        #expect(isEnded)
    }

    @Test func `a request that has a key, or that a caller with a key joined, continues without callers`() {
        var keyed = table(.detached)
        _ = keyed.wait(for: key, as: 1)
        var isEnded = keyed.leave(key, as: 1)
        #expect(!isEnded)
        var joined = table(.call)
        _ = joined.enter(key, fingerprint: [1], providerID: nil, channel: .detached, as: 2)
        _ = joined.wait(for: key, as: 1)
        isEnded = joined.leave(key, as: 1)
        #expect(!isEnded)
    }

    @Test func `a later caller of a composed request waits until the result is durable`() {
        var table = table(.detached)
        let isNews = table.started(key)
        #expect(isNews)
        let isStartedAgain = table.started(key)
        #expect(!isStartedAgain)
        table.composed(content)
        let running = table.runningCount
        #expect(running == 0)
        let waits = table.wait(for: key, as: 3)
        #expect(waits == .waits)
        let callers = table.published(key)
        #expect(callers == [3])
        let after = table.wait(for: key, as: 4)
        #expect(after == .unknown, "the journal has the result")
    }

    @Test func `the first result of a request is the result that its callers get`() {
        var table = table(.call)
        table.composed(content)
        table.composed(EmittedContent(key: key, outcome: .cancelled, reason: nil, json: []))
        let released = table.release(key)
        #expect(released?.content == content)
    }

    @Test func `callers get a composed result at the deadline although it is not durable`() {
        var table = table(.call)
        _ = table.wait(for: key, as: 1)
        let early = table.release(key)
        #expect(early == nil, "no result is composed yet")
        table.composed(content)
        let released = table.release(key)
        #expect(released?.content == content)
        #expect(released?.callers == [1])
        let late = table.wait(for: key, as: 2)
        #expect(late == .has(content))
        let callers = table.published(key)
        #expect(callers == [], "all callers have the result")
    }

    @Test func `a lookup by a provider's identifier finds all of its requests, in one group or in every group`() throws
    {
        var table = RequestTable(capacity: 10)
        let group = try #require(AppGroupName("group.other"))
        var keys: [RequestKey] = []
        for (index, group) in [AppGroupName.default, group, group].enumerated() {
            let key = RequestKey(group: group, id: try #require(RequestID("\(index)")))
            keys.append(key)
            _ = table.enter(
                key, fingerprint: [], providerID: index == 2 ? "other" : "p", channel: .detached, as: 0)
        }
        let all = table.keys(ofProviderID: "p", in: nil)
        #expect(Set(all) == Set(keys[0...1]))
        let ofGroup = table.keys(ofProviderID: "p", in: group)
        #expect(ofGroup == [keys[1]])
        let nobodys = table.keys(ofProviderID: "nobody's", in: nil)
        #expect(nobodys.isEmpty)
    }
}
