import Authentication
import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that a dialect reads any JSON value without a crash, and that each payload gives one result.
@Suite(.timeLimit(.minutes(1))) struct AnyPayloadPlainTests {
    private let dialects = DialectTable.standard.identifiers

    private func readByAll(_ payload: JSONObject) {
        for dialect in dialects {
            let reading = DialectTable.standard.read(payload, requested: dialect)
            #expect(reading.dialect == dialect)
            #expect(reading.media.allSatisfy { $0.path != nil })
        }
    }

    @Test(arguments: 1...8)
    func `no dialect crashes on a random payload`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<TestLength.rounds(400, short: 100) { readByAll(RandomPayloads.object(depth: 6, &generator)) }
    }

    @Test(arguments: 1...4)
    func `a random payload has one result, and a result that is not rich has a reason`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed) + 100)
        for _ in 0..<250 {
            let payload = RandomPayloads.object(depth: 6, &generator)
            let bench = PipelineBench(rules: PayloadRules(mediaURLs: MediaURLs(base: "https://push.example")))
            let request = NotificationRequest(
                id: .new(millisecondsSince1970: 0),
                profile: MediaProfile.all.randomElement(using: &generator) ?? .ios,
                budget: TimeBudget(received: bench.clock.now, length: .seconds(30)), receivedAt: bench.clock.date,
                payload: payload)
            let emissions = try await bench.process(request)
            try #require(emissions.count == 1)
            let text = JSONWriter.text(of: .object(payload))
            let needsNone: Set<Outcome> = [.rich, .passthrough, .prefetched]
            #expect(emissions[0].reason != nil || needsNone.contains(emissions[0].outcome), "\(text)")
            #expect(emissions[0].userInfo == payload, "\(text)")
            #expect(try JSONParser.value(of: JSONWriter.text(of: emissions[0].json)) == emissions[0].json, "\(text)")
        }
    }

    @Test func `every dialect reads the deepest nesting that the parser allows`() throws {
        for key in ["aps", "media", "data", "appear2mee", "notification", "message", "parts", "os_data", "att"] {
            let depth = 60
            let text = String(repeating: #"{"\#(key)":["#, count: depth) + "7" + String(repeating: "]}", count: depth)
            readByAll(try #require(try JSONParser.value(of: text).object))
        }
    }

    @Test func `every dialect reads JSON that is nested in several levels of JSON strings`() throws {
        var value: JSONValue = ["pt_big_img": "https://a.example/1"]
        for _ in 0..<8 {
            let text = JSONWriter.text(of: value)
            value = ["pt_json": .string(text), "itbl": .string(text), "actions": .string(text), "u": .string(text)]
            guard text.utf8.count < 1 << 18 else { break }
        }
        readByAll(try #require(value.object))
    }

    @Test(arguments: [#""\ud800""#, #""\udc00\ud800""#, #""\ud83d x""#])
    func `every dialect reads a lone surrogate as a replacement character`(text: String) throws {
        let payload = try JSONParser.value(of: #"{"aps":{"alert":\#(text)},"image":\#(text),"att":{\#(text):"u"}}"#)
        readByAll(try #require(payload.object))
        #expect(DialectTable.standard.read(try #require(payload.object)).successText.body?.contains("\u{FFFD}") == true)
    }

    @Test func `every dialect reads a payload of a hundred thousand keys within a minute`() throws {
        var payload: JSONObject = ["aps": ["alert": "x"]]
        for number in 0..<100_000 { payload.append("k\(number)", 7) }
        // A dialect that compared each key with each other key would exceed the time limit.
        readByAll(payload)
    }
}
