import Base
import FoundationEssentials
import NotificationModel
import Testing

@testable import Features

/// Tests of items and outcomes between `warm --via` and a daemon.
@Suite struct WarmWireTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func read(_ value: JSONValue) throws(WarmProblem) -> (item: WarmItem, budget: Duration) {
        try WarmEntryReader(
            form: .call, defaults: .init(profiles: [.ios], budget: .seconds(30)), now: now,
            date: { [date, now] text in text.hasPrefix("2027-01-15T08:00:00") ? date : text == "now" ? now : nil },
            payloadURL: { $0["image"]?.string }
        ).entry(of: value.object ?? [:], at: "line 1")
    }

    @Test func `an item does not change when it is written and read again`() throws {
        for request in [WarmItem.Request.url("https://a.example/1.jpg"), .payload(["title": "t"])] {
            let item = WarmItem(
                request, profiles: [.ios, .web], appGroup: try #require(AppGroupName("group.a")), keepUntil: date,
                place: "urls.txt:1", host: "a.example")
            let (read, budget) = try read(WarmWire.json(of: item, budget: .milliseconds(2_500)))
            #expect(read.request == item.request && read.profiles == item.profiles)
            #expect(read.appGroup == item.appGroup && read.keepUntil == date)
            #expect(budget == .milliseconds(2_500))
        }
    }

    @Test func `an item has the host of its URL or of its payload's first media item`() throws {
        #expect(try read(["url": "https://a.example/1.jpg"]).item.host == "a.example")
        #expect(try read(["payload": ["image": "https://b.example:8443/1.jpg"]]).item.host == "b.example:8443")
        #expect(try read(["payload": ["title": "t"]]).item.host.isEmpty)
    }

    @Test func `an outcome does not change when it is written and read again`() throws {
        var refused = WarmOutcome.MediaItem(
            url: "https://a.example/1", profile: "ios", failure: MediaFailure(.httpStatus, "the origin answered 429"))
        refused.retryAfter = .seconds(2)
        var warm = WarmOutcome.MediaItem(url: "https://a.example/2", profile: "web")
        (warm.cache, warm.sourceBytes, warm.renditionBytes, warm.isKept) = (.miss, 1_000, 500, true)
        let json = WarmWire.json(of: WarmOutcome([refused, warm]), line: 7)
        #expect(json["line"] == 7 && json["result"] == "failed")
        let read = try #require(WarmWire.outcome(of: json)?.media)
        #expect(read.map(\.failure) == [refused.failure, nil])
        #expect(read.map(\.retryAfter) == [.seconds(2), nil])
        #expect(read.map(\.cache) == [nil, .miss])
        #expect(read.map(\.sourceBytes) == [0, 1_000] && read.map(\.renditionBytes) == [0, 500])
        #expect(read.map(\.isKept) == [false, true])
        #expect(WarmWire.outcome(of: ["title": "no answer"]) == nil)
    }

    @Test func `a long URL of a payload is shortened in the response`() {
        let item = WarmOutcome.MediaItem(url: String(repeating: "x", count: 100_000), profile: "ios")
        let json = WarmWire.json(of: WarmOutcome([item]), line: 1)
        #expect(json["media"]?.array?.first?["url"]?.string?.utf8.count == 8_192)
    }

    @Test func `the response to a line that is not an item is read as a failure`() throws {
        let read = try #require(WarmWire.outcome(of: WarmWire.json(problem: "url: must be a string", line: 3)))
        #expect(read.failure == MediaFailure(.invalidPayload, "url: must be a string"))
    }

    @Test func `invalid numbers of a response are clamped`() throws {
        let item: JSONValue = [
            "url": "https://a.example/1", "profile": "ios", "sourceBytes": .number(JSONNumber(Int.max)),
            "renditionBytes": -1, "retryAfterMs": -2_000,
        ]
        let answer: JSONValue = ["media": .array([item, item])]
        let outcome = try #require(WarmWire.outcome(of: answer))
        #expect(outcome.media.map(\.sourceBytes) == [1 << 50, 1 << 50])
        #expect(outcome.media.map(\.renditionBytes) == [0, 0])
        #expect(outcome.media.map(\.retryAfter) == [.zero, .zero])
    }

    @Test(
        arguments: [
            (["url": 7], "url: must be"), ([:], "url: must be"), (["url": "x", "payload": [:]], "url: must be"),
            (["url": "x", "profile": "ios"], "did you mean profiles?"),
            (["url": "x", "profiles": []], "profiles: must be an array of"),
            (["url": "x", "profiles": ["pager"]], "profiles: must be an array of"),
            (["url": "x", "group": "../x"], "group: must be"),
            (["url": "x", "keepUntil": "soon"], "keepUntil: must be"),
            (["url": "x", "keepUntil": "now"], "keepUntil: must be in the future"),
            (["url": "x", "budget": "2h"], "budget: must be"), (["url": "x", "budget": 2], "budget: must be"),
        ] as [(JSONValue, String)])
    func `an invalid line is refused, and the error names its key`(_ line: JSONValue, _ says: String) {
        let problem = #expect(throws: WarmProblem.self) { try read(line) }
        #expect(problem?.text.contains(says) == true, "\(problem?.text ?? "")")
    }
}
