import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of the items of one call of `POST /v1/warm`.
@Suite(.timeLimit(.minutes(1))) struct WarmCallTests {
    private static let reader = WarmEntryReader(
        form: .call, defaults: .init(profiles: [.ios], budget: .seconds(5)), now: Date(), date: { _ in nil },
        payloadURL: { _ in nil })

    private static func body(_ lines: some Sequence<String>) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    private static func urls(_ count: Int) -> [String] { (0..<count).map { #"{"url": "http://h\#($0).example/1"}"# } }

    private static func call(_ warmer: any MediaWarming, _ limiter: WarmCallLimiter? = nil) -> WarmCall {
        WarmCall(
            warmer: warmer, reader: reader, limiter: limiter ?? WarmCallLimiter(clock: SystemClock()), perHost: 2)
    }

    private static func answers(_ lines: [String]) async -> [Int: JSONValue] {
        let written = Record<JSONValue>()
        let warmer = FakeWarmer { item, _ in WarmSamples.warm(item) }
        await call(warmer).run(body(lines)) { for answer in $0 { written.append(answer) } }
        return Dictionary(uniqueKeysWithValues: written.elements.map { ($0["line"]?.integer ?? 0, $0) })
    }

    @Test func `each line has one result, and empty lines are ignored`() async {
        let answers = await Self.answers([
            "", #"{"url": "http://a.example/1"}"#, "  \r", #"{"url": "http://b.example/1"}"#,
        ])
        #expect(answers.keys.sorted() == [2, 4])
        #expect(answers[2]?["result"] == "warm" && answers[4]?["result"] == "warm")
    }

    @Test(arguments: [
        ("{}", "url: must be a string, or payload must be an object, but not both"),
        ("[]", "it is an array, not an object"),
        (#"{"url": }"#, "not JSON: column 9: } cannot begin a value"),
        (#"{"url": "http://a.example/1", "grup": "x"}"#, "grup: is not a key: did you mean group?"),
        (
            "{\"url\": \"\(String(repeating: "x", count: WarmCallReading.maxLine))\"}",
            "the line has more than 1048576 bytes"
        ),
        ("[\(String(repeating: "1,", count: 200_000))1]", "the line has too many values"),
        (
            "{\"url\": \"http://a.example/\(String(repeating: "x", count: 8_192))\"}",
            "url: must have at most 8192 bytes"
        ),
        (String(repeating: " ", count: WarmCallReading.maxLine + 1), "the line has more than 1048576 bytes"),
    ])
    func `the result of a malformed line is a problem, and other lines are still warmed`(
        _ line: String, _ problem: String
    ) async {
        let good = #"{"url": "http://a.example/1"}"#
        let answers = await Self.answers([good, line, good])
        #expect(answers[2] == ["line": 2, "result": "failed", "problem": .string(problem)])
        #expect(answers[1]?["result"] == "warm" && answers[3]?["result"] == "warm")
    }

    @Test func `a call has a limited number of unfinished items if the client does not read the results`() async {
        let written = Guarded(0)
        let maxAhead = Guarded(0)
        let begun = Guarded(0)
        let warmer = FakeWarmer { item, _ in
            let ahead =
                begun.withLock { count in
                    count += 1
                    return count
                } - written.withLock(\.self)
            maxAhead.withLock { $0 = max($0, ahead) }
            return WarmSamples.warm(item)
        }
        await Self.call(warmer).run(Self.body(Self.urls(700))) { answers in
            // After these yields, all other tasks have run as far as they can.
            for _ in 0..<1_000 { await Task.yield() }
            written.withLock { $0 += answers.count }
        }
        #expect(written.withLock(\.self) == 700)
        #expect(maxAhead.withLock(\.self) <= WarmCall.maxItems)
        #expect(warmer.most <= WarmCall.maxAtWork)
    }

    @Test func `the result of an item is written while lines of the body are still read`() async {
        let order = Record<Int>()
        let warmer = FakeWarmer { item, _ in WarmSamples.warm(item) }
        await Self.call(warmer).run(Self.body(Self.urls(1) + Array(repeating: "{}", count: 5_000))) { answers in
            for answer in answers { order.append(answer["line"]?.integer ?? 0) }
        }
        let place = order.elements.firstIndex(of: 1)
        #expect(order.elements.count == 5_001)
        #expect((place ?? .max) < 4_000)
    }

    @Test func `an item that waits too long for its permit fails, and releases its lease`() async throws {
        let clock = ManualClock()
        let limiter = WarmCallLimiter(clock: clock)
        let end = AsyncEvent()
        let warmer = FakeWarmer { item, _ in
            await end.wait()
            return WarmSamples.warm(item)
        }
        let written = Record<JSONValue>()
        let urls = (1...3).map { #"{"url": "http://a.example/\#($0)"}"# }
        let call = Task {
            await Self.call(warmer, limiter).run(Self.body(urls)) { for answer in $0 { written.append(answer) } }
        }
        try await wait(for: "the items") { warmer.order.count == 2 }
        await clock.waitForSleepers(3)
        clock.advance(by: WarmCall.maxWait)
        try await wait(for: "the answer") { written.elements.count == 1 }
        #expect(written.elements.first?["media"]?.array?.first?["reason"] == "overloaded")
        end.signal()
        await call.value
        #expect(written.elements.filter { $0["result"] == "warm" }.count == 2)
    }

    @Test func `cancelling the task ends the items and the call`() async {
        let started = AsyncEvent()
        let warmer = FakeWarmer { item, _ in
            started.signal()
            await AsyncEvent().wait()
            return WarmSamples.failed(item, .cancelled)
        }
        let limiter = WarmCallLimiter(clock: SystemClock())
        let call = Task { await Self.call(warmer, limiter).run(Self.body(Self.urls(300))) { _ in } }
        await started.wait()
        call.cancel()
        await call.value
        #expect(limiter.lease(WarmCallLimiter.maxBytes) != nil, "all memory is free again")
    }
}

/// Tests of the slices in which the lines of a call are read.
@Suite struct WarmCallReadingTests {
    private let limiter = WarmCallLimiter(clock: ManualClock())
    private let reader = WarmEntryReader(
        form: .call, defaults: .init(profiles: [.ios], budget: .seconds(5)), now: Date(), date: { _ in nil },
        payloadURL: { _ in nil })

    private func reading(_ line: String, _ count: Int) -> WarmCallReading {
        WarmCallReading(Array(repeatElement("\(line)\n", count: count).joined().utf8), reader: reader, limiter: limiter)
    }

    @Test(arguments: [("{}", 0, 128), (#"{"url": "http://a.example/1"}"#, 4, 0)])
    func `a slice contains a bounded number of lines, and other work runs after each slice`(
        _ line: String, _ entries: Int, _ refusals: Int
    ) {
        var reading = reading(line, 10_000)
        let slice = reading.next(maxItems: 256)
        #expect(slice.stop == .pause)
        #expect(slice.entries.count == entries)
        #expect((refusals - 2...refusals).contains(slice.refusals.count))
    }

    @Test func `a slice has at most its maximum number of items`() {
        var reading = reading(#"{"url": "http://a.example/1"}"#, 10)
        let slice = reading.next(maxItems: 3)
        #expect(slice.stop == .maxItems)
        #expect(slice.entries.map(\.line) == [1, 2, 3])
    }

    @Test func `the number of items of all calls is limited, and a line beyond the limit is read later`() async {
        var leased: [WarmCallReading.Entry] = []
        var first = reading(#"{"url": "http://a.example/1"}"#, 2_000)
        var slice = first.next(maxItems: 2_000)
        while slice.stop == .pause {
            leased += slice.entries
            slice = first.next(maxItems: 2_000)
        }
        leased += slice.entries
        #expect(slice.stop == .noSpace)
        #expect(leased.count == WarmCallLimiter.maxItems)
        var second = reading(#"{"url": "http://b.example/1"}"#, 1)
        #expect(second.next(maxItems: 256).stop == .noSpace)
        leased.removeLast()
        await second.waitForSpace()
        #expect(second.next(maxItems: 256).entries.map(\.line) == [1])
    }

    @Test func `a large item uses the limit as much as many small items`() {
        let text = String(repeating: "x", count: 900_000)
        var reading = reading(#"{"payload": {"title": "\#(text)"}}"#, 4)
        var leased: [WarmCallReading.Entry] = []
        var slice = reading.next(maxItems: 256)
        while slice.stop == .pause {
            leased += slice.entries
            slice = reading.next(maxItems: 256)
        }
        #expect(slice.stop == .noSpace)
        #expect(leased.count == 2)
    }
}
