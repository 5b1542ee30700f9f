import Base
import NotificationModel
import TestSupport
import Testing

@testable import Features

struct RecordingTests {
    @Test(arguments: [
        (Outcome.fallback, DegradationReason?.some(.httpStatus), true), (.partial, .truncated, true),
        (.expired, .expired, true), (.rejected, .serviceNotPermitted, true), (.prefetched, .httpStatus, true),
        (.prefetched, nil, false), (.rich, nil, false), (.passthrough, nil, false), (.cancelled, .cancelled, false),
        (.fallback, .hostResting, false), (.fallback, .overloaded, false), (.fallback, .workerCrashed, false),
        (.fallback, .storageFailed, false), (.rejected, .invalidPayload, false),
    ])
    func `failures that an origin can repeat are recorded`(
        outcome: Outcome, reason: DegradationReason?, isWanted: Bool
    ) throws {
        let sample = try RecordedSample(outcome: outcome, reason: reason)
        #expect(Recording.isWanted(sample.result, of: sample.request) == isWanted)
    }

    @Test func `a recording is a scenario that expects the recorded result`() throws {
        let transfers = [try RecordedSample.transfer(status: 404)]
        let sample = try RecordedSample(
            verdicts: [RecordedSample.verdict(MediaFailure(.httpStatus, "404"), transfers)])
        let recording = try sample.recording()
        let payload = try #require(recording.contents.keys.first)
        #expect(
            recording.text
                == """
                name: "msg-1: fallback http-status"
                source: recorded by appgroupd
                payload: files/\(payload)
                origin:
                  cdn.example/a.jpg: {status: 404}
                now: "2027-01-15T08:00:00.000Z"
                budget: 5000ms
                profile: ios
                expect:
                  outcome: fallback
                  reason: http-status
                  within: 1200ms..3600ms

                """.replacing("source: recorded by appgroupd", with: "source: \"recorded by appgroupd\""))
        let envelope = try JSONParser.value(of: recording.contents[payload] ?? [])
        #expect(envelope["payload"]["title"] == "Rosenrot")
    }

    @Test func `the first line has the digests of names, and no name`() throws {
        var sample = try RecordedSample(recipient: "anna")
        (sample.providerID, sample.thread) = ("provider-1", "thread-1")
        let label = try sample.recording().label
        #expect(RecordingLabel(label.line) == label)
        for name in ["msg-1", "anna", "provider-1", "thread-1"] { #expect(!label.line.contains(name)) }
        #expect(RecordingLabel("name: x") == nil)
        #expect(RecordingLabel(label.line.replacing("\"version\":1", with: "\"version\":2")) == nil)
    }

    @Test func `secrets of a payload are removed, and its texts stay`() throws {
        var redaction = PayloadRedaction(media: ["https://cdn.example/my photo.jpg?sig=s3cret"])
        let value: JSONValue = [
            "title": "Hello Anna", "media": "https://cdn.example/my photo.jpg?sig=s3cret",
            "to": "ExponentPushToken[s3cretS3cretS3cret0123]",
            "api_key": "s3cret", "tokens": ["s3cret", "s3cret"],
            "nested": "{\"auth_token\":\"s3cret\",\"text\":\"Hi\"}",
            "id": "0f8fad5b-d9cb-469f-a165-70867728950e",
            "picture": "data:image/png;base64,iVBORw0KGgo0123456789abcdef",
            "text": "今天的门票：https://pay.example/?code=s3cret", "number": 7,
            "link": "myapp://reset?token=s3cret", "token": "app://s3cret/https://a.example",
            "upper": "HTTPS://pay.example/?code=s3cret", "pin_password": 123_456,
            "words": "The key\ts3cretS3cretS3cret99 opens https://a.example/x and s3cretS3cretS3cret98",
            "path": "images/s3cretS3cretS3cret99/a.jpg",
        ]
        let redacted = redaction.value(value)
        let text = JSONWriter.text(of: redacted)
        #expect(!text.contains("s3cret"), "\(text)")
        #expect(redacted["title"] == "Hello Anna" && redacted["number"] == 7)
        #expect(redacted["media"] == "https://cdn.example/my%20photo.jpg")
        #expect(redacted["to"] == "ExponentPushToken[redacted]")
        #expect(redacted["nested"]?.string == "{\"auth_token\":\"redacted\",\"text\":\"Hi\"}")
        #expect(redacted["picture"] == value["picture"])
        #expect(redacted["text"] == "今天的门票：https://pay.example/")
        #expect(redacted["words"] == "The key\tredacted opens https://a.example/x and redacted")
        #expect(redacted["pin_password"] == 0)
    }

    @Test func `bodies with more than 64 MiB are not read, and not recorded`() throws {
        let directory = try TemporaryDirectory()
        let verdicts = try (0..<5).map { number in
            let url = "https://cdn.example/\(number).mp4"
            let transfer = try RecordedSample.transfer(
                url, failure: .budgetExceeded, body: [UInt8(number)], in: directory)
            return RecordedSample.verdict(of: url, MediaFailure(.budgetExceeded, "late"), [transfer])
        }
        let sample = try RecordedSample(reason: .budgetExceeded, verdicts: verdicts)
        var bytes = 0
        #expect(throws: Recording.Refusal.notRepresentable) {
            try Recording(sample.result, of: sample.request, RecordingNames(sample), settings: []) { _, _ in
                bytes += 20 << 20
                return [UInt8](repeating: UInt8(bytes >> 20), count: 20 << 20)
            }
        }
        #expect(bytes <= Recording.maxBytes + 20 << 20)
    }

    @Test func `a text that a scenario would replace is not recorded in the scenario`() throws {
        let url = "https://cdn.example/{{name}}.jpg"
        let transfers = [try RecordedSample.transfer(url, status: 404)]
        let sample = try RecordedSample(
            verdicts: [RecordedSample.verdict(of: url, MediaFailure(.httpStatus, "404"), transfers)])
        #expect(throws: Recording.Refusal.notRepresentable) { try sample.recording() }
    }
}
