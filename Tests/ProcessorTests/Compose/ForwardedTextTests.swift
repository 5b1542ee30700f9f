import Authentication
import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the texts in a forwarded payload with each value of the configuration key `push.says`.
@Suite(.timeLimit(.minutes(1))) struct ForwardedTextTests {
    private static let failure = FakeFetcher.Answer.failure(MediaFailure(.httpStatus, "404"))

    private func forwarded(
        _ payload: String, _ texts: ForwardedTexts = .asShown, missing: Bool = true,
        _ change: (inout NotificationRequest) -> Void = { _ in }
    ) async throws -> String {
        var rules = PayloadRules(mediaURLs: MediaURLs(base: "https://p.example"))
        rules.forwardedTexts = texts
        let bench = PipelineBench(missing ? ["https://a.example/1": Self.failure] : [:], rules: rules)
        let notification = try #require(try await bench.process(bench.request(payload, change)).first)
        return JSONWriter.text(of: notification.json["push"]["payload"] ?? .null)
    }

    private static let twoMee = #"""
        {"aps":{"alert":{"title":"T","body":"B","loc-key":"K","launch-image":"L"}},"appear2mee":{"fbText":"F","kind":"image","urls":["https://a.example/1"]}}
        """#

    @Test func `the forwarded alert has the fallback text if the outcome is fallback`() async throws {
        let expected =
            #"{"aps":{"alert":{"title":"T","body":"F","launch-image":"L"}},"appear2mee":{"fbText":"F","kind":"image","urls":["https://a.example/1"]}}"#
        #expect(try await forwarded(Self.twoMee) == expected)
    }

    @Test func `a forwarded FCM message with a Sendios push has the shown text for each platform`() async throws {
        let payload = #"""
            {"message":{"notification":{"title":"N","body":"nb"},"android":{"notification":{"body":"AB"}},"apns":{"payload":{"aps":{"alert":{"body":"ABB"}}}},"data":{"push_id":"p","image_url":"https://a.example/1"}}}
            """#
        let sent = try await forwarded(payload) { $0.fallback = NotificationText(body: "EB") }
        #expect(sent.ranges(of: #""body":"EB""#).count == 3)
    }

    @Test func `the forwarded alert has the expiry text if the message has expired`() async throws {
        let payload = Self.twoMee.replacing(#""fbText":"F","#, with: #""fbText":"F","playTime":1,"expiry":1,"#)
        #expect(try await forwarded(payload).contains(#""alert":{"title":"T","body":"Sorry, opportunity missed!""#))
    }

    @Test func `the provider's texts do not change if the setting is success or the outcome is rich`() async throws {
        let own = #""alert":{"title":"T","body":"B","loc-key":"K","launch-image":"L"}"#
        #expect(try await forwarded(Self.twoMee, .success).contains(own))
        #expect(try await forwarded(Self.twoMee, missing: false).contains(own))
    }

    @Test(arguments: [
        (
            #"{"aps":{"alert":"B"},"image":"https://a.example/1"}"#,
            #"{"aps":{"alert":{"title":"1","subtitle":"2","body":"3"}},"image":"https://a.example/1"}"#
        ),
        (
            #"{"title":"T","text":"B","fbText":"F","url":"https://a.example/1"}"#,
            #"{"title":"1","text":"3","fbText":"F","url":"https://a.example/1","subtitle":"2"}"#
        ),
        (
            #"{"title":"T","body":"B","media":[{"url":"https://a.example/1"}]}"#,
            #"{"title":"1","body":"3","media":[{"url":"https://a.example/1"}],"subtitle":"2"}"#
        ),
        (
            #"{"message":{"notification":{"title":"T","body":"B","image":"https://a.example/1"},"android":{"notification":{"title":"A"}},"apns":{"payload":{"aps":{"alert":{"title-loc-key":"K"}}}}}}"#,
            #"{"message":{"notification":{"title":"1","body":"3","image":"https://a.example/1"},"android":{"notification":{"title":"1","body":"3"}},"apns":{"payload":{"aps":{"alert":{"title":"1","subtitle":"2","body":"3"}}}}}}"#
        ),
        (
            #"{"title":"T","body":"B","image":"https://a.example/1"}"#,
            #"{"title":"1","body":"3","image":"https://a.example/1"}"#
        ),
        (
            #"{"data":{"push_id":"p","image_url":"https://a.example/1"},"notification":{"title":"T","body":"B"}}"#,
            #"{"data":{"push_id":"p","image_url":"https://a.example/1"},"notification":{"title":"1","body":"3"}}"#
        ),
        (
            #"{"event":"message","topic":"t","message":"B","attachment":{"url":"https://a.example/1"}}"#,
            #"{"event":"message","topic":"t","message":"3","attachment":{"url":"https://a.example/1"},"title":"1"}"#
        ),
        (
            #"{"messages":{"apple_push":{"alert":"B","asset_url":"https://a.example/1","asset_file_type":"png"}}}"#,
            #"{"messages":{"apple_push":{"alert":{"title":"1","subtitle":"2","body":"3"},"asset_url":"https://a.example/1","asset_file_type":"png"}}}"#
        ),
        (
            #"{"web_push":8030,"notification":{"title":"T","image":"https://a.example/1"}}"#,
            #"{"web_push":8030,"notification":{"title":"1","image":"https://a.example/1","body":"3"}}"#
        ),
    ])
    func `the shown text replaces the text that the recipients of each payload format read`(
        payload: String, expected: String
    ) async throws {
        let said = try await forwarded(payload) {
            $0.fallback = NotificationText(title: "1", subtitle: "2", body: "3")
        }
        #expect(said == expected)
    }

    @Test(arguments: [
        (
            #"{"aps":{"mutable-content":1},"image":"https://a.example/1"}"#,
            #"{"aps":{"mutable-content":1,"alert":{"body":"F"}},"image":"https://a.example/1"}"#
        ),
        (
            #"{"aps":{"alert":null,"mutable-content":1},"image":"https://a.example/1"}"#,
            #"{"aps":{"alert":{"body":"F"},"mutable-content":1},"image":"https://a.example/1"}"#
        ),
        (
            #"{"media":[{"url":"https://a.example/1"}]}"#,
            #"{"media":[{"url":"https://a.example/1"}],"body":"F"}"#
        ),
        (
            #"{"message":{"apns":{"fcm_options":{"image":"https://a.example/1"}}}}"#,
            #"{"message":{"apns":{"fcm_options":{"image":"https://a.example/1"}},"notification":{"body":"F"}}}"#
        ),
        (
            #"{"notification":{"devices":[{"data":{"default_payload":{"aps":{"mutable-content":1}}}}],"event_id":"$1","content":{"url":"https://a.example/1"}}}"#,
            #"{"notification":{"devices":[{"data":{"default_payload":{"aps":{"mutable-content":1,"alert":{"body":"F"}}}}}],"event_id":"$1","content":{"url":"https://a.example/1"}}}"#
        ),
        (
            #"{"parts":[{"type":"image/png","url":"https://a.example/1"}]}"#,
            #"{"parts":[{"type":"image/png","url":"https://a.example/1"}],"alert":{"platforms":{"apns":{"alert":{"body":"F"}}}}}"#
        ),
    ])
    func `a payload without any text gets the shown text at the path that its recipients read`(
        payload: String, expected: String
    ) async throws {
        #expect(try await forwarded(payload) { $0.fallback = NotificationText(body: "F") } == expected)
    }

    @Test func `the localization keys of a line are removed only if a text replaces the line`() async throws {
        let payload =
            #"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["1"],"loc-key":"B"}},"image":"https://a.example/1"}"#
        #expect(try await forwarded(payload) == payload)
        let said = try await forwarded(payload) { $0.fallback = NotificationText(body: "F") }
        #expect(said.contains(#""alert":{"body":"F","title-loc-key":"T","title-loc-args":["1"]}"#))
    }

    @Test(arguments: [
        #"{"message":{"notification":{"title":"N","image":"https://a.example/1"},"android":{"notification":{"body":"AB"}},"apns":{"payload":{"aps":{"alert":{"title":"I","loc-key":"K"}}}}}}"#,
        #"{"parts":[{"type":"image/png","url":"https://a.example/1"}],"alert":{"platforms":{"apns":{"alert":"A"},"fcm":{"notification":{"title":"F","body":"B"}}}}}"#,
    ])
    func `each platform keeps its text if the payload has no fallback text`(payload: String) async throws {
        #expect(try await forwarded(payload) == payload)
    }

    @Test func `a forwarded silent push gets no text`() async throws {
        let payload = SamplePayloads.silent
        let said = try await forwarded(payload) { $0.fallback = NotificationText(body: "F") }
        #expect(said == JSONWriter.text(of: try JSONParser.value(of: payload)))
    }

    @Test func `a rejected request has no forwarded payload`() async throws {
        #expect(try await forwarded(Self.twoMee) { $0.permissions.service = false } == "null")
        let run = SampleRun(["payload": ["aps": ["alert": "B"]], "budget": 7])
        let rejected = try #require(run.contents(.ready).first)
        #expect(rejected.outcome == .rejected)
        #expect(rejected.json["push"] == ["payload": nil])
    }
}
