import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import NotificationProcessor

/// Tests of the part of a result that the index has for apps.
@Suite(.timeLimit(.minutes(1))) struct MessageContentTests {
    private static let unreachable: [String: FakeFetcher.Answer] = [
        "https://a.example/1": .failure(MediaFailure(.dnsFailed, "no address"))
    ]

    private func records(
        _ payload: String, _ answers: [String: FakeFetcher.Answer] = [:],
        _ change: (inout NotificationRequest) -> Void = { _ in }
    ) async throws -> [MessageRecord] {
        let bench = PipelineBench(answers)
        try await bench.process(bench.request(payload, change))
        return bench.store.records
    }

    @Test func `a message of 2mee is recorded with its kind, thread, expiry, texts, actions and keys`() async throws {
        let payload = """
            {"aps":{"alert":{"title":"T","body":"B"},"thread-id":"coach"},"appear2mee":{"id":"m","kind":"image",
             "action":"Watch","urls":["https://a.example/1"],"fbText":"Sorry","keys":{"page":"week3"},
             "playTime":4102444800000,"expiry":60}}
            """
        let record = try #require(try await records(payload).first)
        #expect(record.providerID == "m")
        #expect(record.attachments.count == 1)
        let content = try #require(record.content)
        #expect(content.outcome == .rich && content.reason == nil)
        #expect(content.thread == "coach")
        #expect(content.expiresAt == Date(timeIntervalSince1970: 4_102_448_400))
        #expect(content.text == NotificationText(title: "T", body: "B"))
        #expect(content.fallback == NotificationText(title: "T", body: "Sorry"))
        #expect(content.expired == NotificationText(title: "T", body: "Sorry, opportunity missed!"))
        #expect(content.actions.map(\.title) == ["Watch", "Dismiss", "Play"])
        #expect(content.details["kind"] == "image")
        #expect(content.details["keys"] == ["page": "week3"])
    }

    @Test func `a fallback is recorded without files, with its reason and the text that it shows`() async throws {
        let record = try #require(try await records(SamplePayloads.single, Self.unreachable).first)
        #expect(record.attachments.isEmpty)
        #expect(record.content?.outcome == .fallback)
        #expect(record.content?.reason == .dnsFailed)
        #expect(record.content?.text.body == "Sorry")
        #expect(record.content?.fallback == nil, "the shown text is the fallback text")
    }

    @Test func `an expired message is recorded with its expiry and without the action accept`() async throws {
        let content = try #require(try await records(SamplePayloads.expired).first?.content)
        #expect(content.outcome == .expired && content.reason == .expired)
        #expect(content.expiresAt == Date(timeIntervalSince1970: 1_000_000_300))
        #expect(content.text.body == "Sorry, opportunity missed!")
        #expect(content.actions.map(\.identifier) == ["dismiss", "play"])
    }

    @Test func `a message that names no file for its kind is recorded as a fallback`() async throws {
        let payload = #"{"appear2mee":{"kind":"face","text":"B","fbText":"Sorry","urls":[]}}"#
        let content = try #require(try await records(payload).first?.content)
        #expect(content.outcome == .fallback && content.reason == .invalidPayload)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"B"}}"#, false), (#"{"body":"B"}"#, false), (#"{"hello":"world"}"#, false),
        (#"{"appear2mee":{"id":"m","kind":"text","text":"B","fbText":"F"}}"#, true),
        (#"{"appear2mee":{"kind":"text","text":"B","fbText":"F"}}"#, false),
    ])
    func `a text without media is recorded only if it has a provider's id`(
        payload: String, isRecorded: Bool
    ) async throws {
        let found = try await records(payload)
        #expect(found.count == (isRecorded ? 1 : 0))
        #expect(found.allSatisfy { $0.attachments.isEmpty && $0.content?.outcome == .passthrough })
    }

    @Test func `a silent push is recorded with its files only`() async throws {
        let record = try #require(try await records(SamplePayloads.silent).first)
        #expect(record.attachments.count == 1 && record.content == nil)
        #expect(try await records(SamplePayloads.silent, Self.unreachable).isEmpty)
    }

    @Test func `a request that the recipient does not permit is not recorded`() async throws {
        #expect(try await records(SamplePayloads.pair) { $0.permissions.service = false }.isEmpty)
        #expect(try await records(SamplePayloads.pair) { $0.permissions.alert = false }.isEmpty)
        #expect(try await records(SamplePayloads.pair) { $0.permissions.download = false }.count == 1)
    }

    @Test func `the details that name a recipient are not recorded`() throws {
        let details: JSONObject = [
            "devices": [["pushkey": "token"]], "sender": "@coach:example.org", "clientIdentifier": "7",
            "permission": ["name": "download"],
        ]
        let content = MessageContent(outcome: .rich, text: NotificationText(body: "B"), details: details)
        #expect(content.details == ["sender": "@coach:example.org"])
    }

    @Test func `the name of the recipient is in no part of the content`() async throws {
        let record = try #require(
            try await records(SamplePayloads.pair) { $0.recipient = "recipient-of-the-test" }.first)
        #expect(!"\(record)".contains("recipient-of-the-test"))
    }
}
