import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that a malformed payload crashes no dialect, and that a value of a wrong type counts as missing.
@Suite struct MalformedPayloadPlainTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let dialect: DialectID?
        let media: [String]
        let body: String?
        let outcome: Outcome

        init(
            _ text: String, _ dialect: DialectID?, _ media: [String] = [], body: String? = nil,
            _ outcome: Outcome? = nil
        ) {
            (self.text, self.dialect, self.media, self.body) = (text, dialect, media, body)
            self.outcome = outcome ?? (media.isEmpty ? .passthrough : .rich)
        }

        var testDescription: String { text }
    }

    @Test(arguments: [
        // These payloads have a number or another wrong type in place of a dictionary.
        Case(#"{"aps":7,"image":"u"}"#, nil), Case(#"{"aps":[],"image":"u"}"#, nil),
        Case(#"{"aps":{"alert":7},"image":"u"}"#, "apns", ["u"]),
        Case(#"{"aps":{"alert":["x"]},"image":"u"}"#, "apns", ["u"]),
        Case(#"{"aps":{"alert":{"title":7,"body":"b"}},"image":"u"}"#, "apns", ["u"], body: "b"),
        Case(#"{"aps":{"alert":{"body":{}}},"image":"u"}"#, "apns", ["u"]),
        Case(#"{"aps":{},"media":7,"image":"u"}"#, "apns", ["u"]),
        Case(#"{"aps":{},"media":{"url":7},"image":"u"}"#, "apns", ["u"]),
        Case(#"{"appear2mee":7,"aps":{"alert":"b"}}"#, "2mee", body: "b", .fallback),
        Case(#"{"appear2mee":{"urls":"u"},"aps":{"alert":"b"}}"#, "2mee", body: "b", .fallback),
        Case(#"{"appear2mee":{"urls":[7,"u",null,["v"]]}}"#, "2mee", ["u"], .prefetched),
        Case(
            #"{"appear2mee":{"urls":{"0":"u"},"id":{},"action":7,"playTime":"x","expiry":[]}}"#, "2mee", [], .fallback),
        Case(#"{"fbText":7,"url":"u","text":7}"#, "2mee", ["u"], .prefetched),
        Case(#"{"fbText":"f","url":7,"holoPushUrl":"h","text":"b"}"#, "2mee", ["h"], body: "b"),
        Case(#"{"data":7,"aps":{"alert":"b"}}"#, "apns", body: "b"),
        Case(#"{"data":{"push_id":"p","image_url":7},"aps":{"alert":"b"}}"#, "sendios", body: "b"),
        Case(#"{"data":{"push_id":"p","image_url":null},"notification":7}"#, "sendios"),
        Case(
            #"{"data":{"push_id":"p","image_url":"https://u"},"notification":{"title":7,"body":"b"}}"#, "sendios",
            ["https://u"], body: "b"),
        Case(#"{"media":[{"url":7}],"body":"b"}"#, "native", body: "b"),
        Case(#"{"media":[{"url":"u","role":7,"id":[],"options":7},7,null,"v",["w"]],"body":{}}"#, "native", ["u"]),
        Case(
            #"{"media":[{"url":"u"}],"fallback":7,"badge":"1","title":7,"aps":7,"body":"b"}"#, "native", ["u"],
            body: "b"),
        // The value of `image` is 7, and the next key is read.
        Case(#"{"aps":{"alert":"b"},"image":7}"#, "apns", body: "b"),
        Case(#"{"aps":{"alert":"b"},"media-url":7,"image":"u"}"#, "apns", ["u"], body: "b"),
        // The alert is a string, and flags and badges have wrong types.
        Case(#"{"aps":{"alert":"b","badge":"5","mutable-content":true},"image":"u"}"#, "apns", ["u"], body: "b"),
        Case(#"{"aps":{"alert":"b","mutableContent":1},"image":"u"}"#, "apns", ["u"], body: "b"),
        // The key `aps` is misspelt in three ways.
        Case(#"{"asp":{"alert":"b"},"image":"u"}"#, nil), Case(#"{"Aps":{"alert":"b"},"image":"u"}"#, nil),
        Case(#"{"aps ":{"alert":"b"},"image":"u"}"#, nil),
    ])
    func `a value of a wrong type counts as missing`(malformed: Case) async throws {
        let bench = PipelineBench()
        let notification = try #require(try await bench.process(bench.request(malformed.text)).first)
        #expect(notification.payload.dialect == malformed.dialect)
        #expect(notification.verdicts.map(\.url) == malformed.media)
        #expect(notification.text.body == malformed.body)
        #expect(notification.outcome == malformed.outcome)
    }

    @Test func `a body with a truncated code point is refused as JSON, and the error names the line`() {
        let cut = Array(#"{"aps":{"alert":"caf"#.utf8) + [0xC3] + Array(#""}}"#.utf8)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.value(of: cut) }
        #expect(error?.problem == "the string is not UTF-8")
        #expect(error?.line == 1)
    }

    @Test(arguments: try SampleFixture.all())
    func `each sample has exactly one result when any value is replaced by any other`(sample: SampleFixture)
        async throws
    {
        let mutations = JSONMutations.all(of: .object(sample.object))
        #expect(mutations.count > 20)
        for mutation in mutations { try await Self.check(mutation) }
    }

    @Test(arguments: try SampleFixture.all())
    func `each sample has exactly one result when several values are replaced at random`(sample: SampleFixture)
        async throws
    {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<TestLength.rounds(60, short: 20) {
            var value = JSONValue.object(sample.object)
            for _ in 0..<Int.random(in: 2...6, using: &generator) {
                guard let mutation = JSONMutations.all(of: value).randomElement(using: &generator) else { break }
                value = mutation
            }
            try await Self.check(value)
        }
    }

    private static func check(_ value: JSONValue) async throws {
        guard let object = value.object else { return }
        let bench = PipelineBench()
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
        let (request, error) = reader.request(from: Submission(object: object, arrival: bench.clock.reading))
        let text = JSONWriter.text(of: value)
        let notification: ProcessedNotification
        if let error {
            notification = bench.reject(request, because: error.description)
            #expect(notification.outcome == .rejected, "\(text)")
        } else {
            let emissions = try await bench.process(request)
            try #require(emissions.count == 1, "\(text)")
            notification = emissions[0]
            #expect(notification.outcome != .rejected, "\(text)")
            #expect(notification.verdicts.map(\.url) == notification.payload.media.map(\.url), "\(text)")
        }
        #expect(notification.userInfo == request.payload, "\(text)")
        let json = notification.json
        #expect(try JSONParser.value(of: JSONWriter.text(of: json)) == json, "\(text)")
    }
}
