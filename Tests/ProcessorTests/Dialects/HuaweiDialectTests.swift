import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct HuaweiDialectTests {
    private func read(_ message: String) throws -> PushPayload {
        HuaweiDialect().read(JSONNode(try JSONParser.value(of: #"{"message":\#(message)}"#)))
    }

    @Test(
        arguments: [
            (#"{"message":{"token":["t"]}}"#, "message.token[]"),
            (
                #"{"message":{"topic":"t","android":{"notification":{"click_action":{"type":3}}}}}"#,
                "message.android.notification.click_action{}"
            ),
            (#"{"message":{"token":"t"}}"#, nil), (#"{"validate_only":true,"message":{"topic":"t"}}"#, nil),
            (#"{"message":{"token":"t","android":{"notification":{"click_action":"OPEN"}}}}"#, nil),
            (#"{"aps":{},"message":{"token":["t"]}}"#, nil),
        ] as [(String, String?)])
    func `a Huawei request is recognised by the key of its tokens or of its click action`(text: String, rule: String?)
        throws
    {
        #expect(HuaweiDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the image of an Android notification is an icon, and replaces the message's image`() throws {
        let payload = try read(
            #"""
            {"notification":{"title":"T","body":"B","image":"no"},
             "android":{"notification":{"body":"C","image":"u","click_action":{"url":"https://a/1"},"badge":{"set_num":4},
              "buttons":[{"name":"A"},{"action_type":1}]}},
             "webpush":{"notification":{"image":"w"}}}
            """#)
        #expect(payload.media.map(\.url) == ["u", "w"])
        #expect(payload.media.map(\.role) == [.icon, .attachment])
        #expect(payload.media.map(\.platform) == [.any, .webpush])
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.platformTexts[.android] == NotificationText(body: "C"))
        #expect(payload.aps.badge == 4)
        #expect(payload.actions == [NotificationAction(identifier: "A", title: "A")])
        #expect(payload.details == ["link": "https://a/1"])
        #expect(!payload.isFCMMessage && payload.imageBytes.isEmpty)
    }

    @Test func `the message's image is used if Android's notification has no image`() throws {
        #expect(try read(#"{"notification":{"image":"u"}}"#).media.map(\.url) == ["u"])
    }

    @Test(arguments: [
        #"{"notification":{"title":7,"image":[]},"android":{"notification":{"image":7,"buttons":{},"badge":7}}}"#,
        #"{"android":{"notification":{"click_action":{"url":7,"intent":[]}}},"data":"{}"}"#, "[]",
    ])
    func `a value of a wrong type counts as missing`(message: String) throws {
        let payload = try read(message)
        #expect(payload.media.isEmpty && payload.successText.isEmpty)
        #expect(payload.actions.isEmpty && payload.details.isEmpty && payload.aps == APSFields())
    }
}
