import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of messages of the seed documents in other forms that senders use.
@Suite(.timeLimit(.minutes(1))) struct SeedFormTests {
    private static let alert = #""alert":{"title":"Coach","subtitle":"Week","body":"Tap to play"}"#
    private static let aps = #""aps":{\#(alert),"mutable-content":1}"#
    private static let urls = #"["https://a.example/1.jpg"]"#
    private static let texts = #""urls":"[\"https://a.example/1.jpg\"]","kind":"image","id":"m","fbText":"FB""#

    private func content(_ request: String) async throws -> JSONValue {
        let bench = PipelineBench()
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
        let submission = Submission(
            object: try #require(try JSONParser.value(of: request).object), arrival: bench.clock.reading)
        let (read, error) = reader.request(from: submission)
        #expect(error == nil)
        return try #require(try await bench.process(read).first).json
    }

    /// Returns a push whose `appear2mee` has an ID, a kind, a file, a fallback text and these members.
    private static func nested(_ members: String, kind: String = "image") -> String {
        #"{\#(aps),"appear2mee":{"id":"m","kind":"\#(kind)","fbText":"FB","urls":\#(urls),\#(members)}}"#
    }

    @Test(arguments: [
        (
            #"{"to":"t","data":{\#(texts)},"notification":{"title":"T","body":"B"}}"#,
            #"{"dialect":"2mee","outcome":"rich","providerId":"m","content":{"title":"T","body":"B"}}"#
        ),
        (
            #"{"registration_ids":["a"],"data":{"appear2mee":{"id":"m","kind":"image","urls":\#(urls),"fbText":"FB"}},"notification":{"title":"T"}}"#,
            #"{"dialect":"2mee","outcome":"rich"}"#
        ),
        (
            #"{\#(aps),"gcm.message_id":"1","stage":"alert","playTime":"4102444800000","expiry":"60",\#(texts)}"#,
            #"{"dialect":"2mee","outcome":"rich","problem":null,"content":{"body":"Tap to play"}}"#
        ),
        (
            nested(#""title":"OT","text":"OB""#),
            #"{"content":{"title":"OT","subtitle":"Week","body":"OB"}}"#
        ),
        (nested(#""playTime":"1000","expiry":"1""#), #"{"outcome":"expired"}"#),
        (
            nested(#""expiry":60"#),
            #"{"problem":"/appear2mee: without playTime the message never expires"}"#
        ),
        (
            nested(#""x":1"#, kind: "video"),
            #"{"problem":"/appear2mee/urls/0: the kind is video, but the name of the file is that of another kind"}"#
        ),
        (
            nested(#""action":"A\u202eB\nC""#),
            #"{"content":{"actions":[{"identifier":"accept","title":"AB C"},{"identifier":"dismiss"},{"identifier":"play"}]}}"#
        ),
        (
            #"{\#(aps),"Appear2mee":{"urls":\#(urls)}}"#,
            #"{"dialect":"apns","problem":"/Appear2mee: \"Appear2mee\" is not read; did you mean appear2mee?"}"#
        ),
        (
            #"{"message":{"token":"t","apns":{"headers":{"apns-expiration":"1000"},"payload":{\#(aps),"appear2mee":{"id":"m","urls":\#(urls)}}}}}"#,
            #"{"dialect":"2mee","outcome":"expired"}"#
        ),
        (
            #"{"data":{"type":"route","route":"chat","from_user_id":"1","image_url":"https://a.example/1.png"},"notification":{"title":"NT","body":"NB","badge":3}}"#,
            #"{"dialect":"sendios","outcome":"rich","content":{"title":"NT","body":"NB","badge":3}}"#
        ),
        (
            #"{"notification":{"event_id":"$e","room_id":"!r:x","sender":"@ana:e","content":{"body":"x"},"devices":[{}]}}"#,
            #"{"content":{"subtitle":"@ana:e"}}"#
        ),
        (
            #"{"notification":{"event_id":"$e","room_id":"!r:x","content":{"body":"x"},"devices":[{"tweaks":{}},{"tweaks":{"highlight":true}}]}}"#,
            #"{"content":{"interruptionLevel":"active"}}"#
        ),
        (
            #"{"message":{"token":"t","data":{"event_id":"$e","room_id":"!r:x","room_name":"Garden","content_body":"hello","unread":"2"}}}"#,
            #"{"dialect":"matrix","content":{"title":"Garden","body":"hello","badge":2}}"#
        ),
        (
            #"{"profile":"android","payload":{"parts":[{"type":"image/jpeg","url":"https://a.example/1.jpg"}],"alert":{"platforms":{"apns":{"alert":"A","sound":"a.aiff","badge":3},"fcm":{"notification":{"title":"T","sound":"default"}}}}}}"#,
            #"{"content":{"title":"T","badge":null,"sound":{"name":"default"}}}"#
        ),
        (
            #"{"id":"e","apiSpace":"a","name":"conversationMessage.read","conversationMessage":{"messageId":"m","conversationId":"c","profileId":"p"}}"#,
            #"{"details":{"messageId":"m","conversationId":"c","profileId":"p"}}"#
        ),
        (
            #"{"profile":"android","payload":{"message":{"data":{"title":"T","body":"B"},"apns":{"payload":{"aps":{"content-available":1}}}}}}"#,
            #"{"outcome":"passthrough","content":{"title":"T","body":"B"}}"#
        ),
        (
            #"{"profile":"android","payload":{"message":{"notification":{"title":"T"},"apns":{"headers":{"apns-expiration":"1000"}}}}}"#,
            #"{"outcome":"passthrough","content":{"title":"T"}}"#
        ),
        (
            #"{"message":{"notification":{"title":"T"},"android":{"notification":{"image":"https://a.example/a.jpg"}},"apns":{"payload":{"aps":{"mutable-content":1},"image_url":"https://a.example/i.jpg"}}}}"#,
            #"{"outcome":"rich","content":{"attachments":[{"source":{"url":"https://a.example/i.jpg"}}]}}"#
        ),
        (
            #"{"message":{"token":"t","android":{"data":{\#(texts),"title":"T","text":"B"}}}}"#,
            #"{"dialect":"2mee","outcome":"rich","content":{"title":"T","body":"B"}}"#
        ),
        (
            #"{"message":{"token":"t","notification":{"title":"T","image":"https://a.example/1.jpg"},"data":{"sendbird":"{\"message\":\"hi\"}"}}}"#,
            #"{"dialect":"sendbird","outcome":"rich"}"#
        ),
        (
            #"{\#(aps),"image":"https://a.example/1.jpg","sendbird":{"message_id":7}}"#,
            #"{"dialect":"sendbird","outcome":"rich"}"#
        ),
        (
            #"{"profile":"android","payload":{"GCM":"{\"data\":{\"title\":\"T\",\"body\":\"B\",\"image\":\"https://a.example/1.jpg\"}}"}}"#,
            #"{"dialect":"sns","outcome":"rich","content":{"title":"T","body":"B"}}"#
        ),
    ])
    func `a form of a message has the expected content`(_ request: String, _ expected: String) async throws {
        let content = try await content(request)
        #expect(content.differences(from: try JSONParser.value(of: expected)) == [])
    }

    @Test(arguments: [("zh-TW", "zh-Hant"), ("zh_HK", "zh-Hant"), ("zh-CN", "zh-Hans")])
    func `a Chinese language tag with a region falls back to the script of the region`(_ tag: String, _ script: String)
        throws
    {
        let fallbacks = try #require(LanguageTag(tag)).fallbacks.map(\.description)
        #expect(fallbacks.dropFirst().first == script && fallbacks.last == "zh")
    }
}
