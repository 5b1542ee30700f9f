import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct SNSDialectTests {
    private static let apple =
        #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"image":"https://a/apple"}"#
    private static let google =
        #"{"fcmV1Message":{"message":{"notification":{"title":"t","body":"b","image":"https://a/all"},"android":{"notification":{"body":"c"}}}}}"#

    private func read(_ members: [String: String]) -> PushPayload {
        SNSDialect().read(JSONNode(members.reduce(into: JSONObject()) { $0.append($1.key, .string($1.value)) }))
    }

    @Test(
        arguments: [
            (#"{"default":"d","APNS":"{}","GCM":"{}"}"#, "APNS"), (#"{"APNS_SANDBOX":"{}"}"#, "APNS_SANDBOX"),
            (#"{"default":"d","GCM":"{}"}"#, "GCM"), (#"{"APNS":"{","GCM":"{}"}"#, "GCM"),
            (#"{"APNS":{"aps":{}}}"#, nil), (#"{"APNS":"x"}"#, nil), (#"{"default":"d"}"#, nil), (#"{"GCM":7}"#, nil),
        ] as [(String, String?)])
    func `an SNS payload is recognised by a part that is a string of JSON`(text: String, rule: String?) throws {
        #expect(SNSDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `each platform gets the text and the media of its own part`() {
        let payload = read(["default": "d", "APNS": Self.apple, "GCM": Self.google])
        #expect(payload.media.map(\.url) == ["https://a/apple", "https://a/all"])
        #expect(payload.media.map(\.platform) == [.apns, .android])
        #expect(payload.platformTexts[.apns] == NotificationText(title: "T", body: "B"))
        #expect(payload.platformTexts[.android] == NotificationText(title: "t", body: "c"))
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.aps.mutableContent && payload.aps.hasVisibleAlert)
        #expect(!payload.isFCMMessage)
    }

    @Test func `the image of a message to the legacy API is an image for Android`() {
        let payload = read(["GCM": #"{"notification":{"title":"t","image":"u"},"data":{"k":"v"}}"#])
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.media.map(\.platform) == [.android])
        #expect(payload.successText == NotificationText(title: "t"))
        #expect(payload.details == ["data": ["k": "v"]])
    }

    @Test func `the default text is Android's text if Android has no part`() {
        let payload = read(["default": "d", "APNS": Self.apple])
        #expect(payload.platformTexts[.android] == NotificationText(body: "d"))
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
    }

    @Test func `an image next to aps is read only if it is a URL`() {
        #expect(read(["APNS": #"{"aps":{"alert":"B"},"image":"name"}"#]).media.isEmpty)
    }
}
