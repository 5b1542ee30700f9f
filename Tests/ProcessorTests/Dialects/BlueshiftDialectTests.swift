import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct BlueshiftDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        BlueshiftDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"bsft_message_uuid":"m"}"#, "bsft_message_uuid"),
            (#"{"aps":{},"carousel_elements":[]}"#, "carousel_elements[]"),
            (#"{"message":"{\"notification_type\":\"notification\"}"}"#, "message.notification_type"),
            (#"{"message":{"data":{"bsft_message_uuid":"m"}}}"#, "message.data.bsft_message_uuid"),
            (#"{"aps":{},"image_url":"u"}"#, nil), (#"{"aps":{},"carousel_elements":{}}"#, nil),
            (#"{"message":"x"}"#, nil), (#"{"bsft_message_uuid":7}"#, nil),
        ] as [(String, String?)])
    func `a Blueshift payload is recognised by its ID, carousel or message`(text: String, rule: String?) throws {
        #expect(BlueshiftDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the vendor's keys of a push to an iPhone are read at the top level`() throws {
        let payload = try read(
            #"""
            {"aps":{"alert":"B"},"bsft_message_uuid":"m","image_url":"u","deep_link_url":"app://1","message":"no",
             "carousel_elements":[{"image_url":"v"},{},7],"actions":[{"title":"A","identifier":"a"},{"x":1},{"title":"C"}]}
            """#)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.media.map(\.url) == ["u", "v"])
        #expect(payload.actions.map(\.identifier) == ["a", "BSPushIdentifier_2"])
        #expect(payload.providerID == "m")
        #expect(payload.details == ["link": "app://1"])
    }

    @Test func `the message in Android's data is read from a string of JSON`() throws {
        let payload = try read(
            #"""
            {"bsft_message_uuid":"m","image_url":"no","message":"{\"content_title\":\"T\",\"content_sub_text\":\"S\",\"content_text\":\"B\",\"image_url\":\"u\",\"category\":\"silent_push\"}"}
            """#)
        #expect(payload.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.isSilent)
    }

    @Test(arguments: [
        #"{"message":{"content_title":7,"image_url":[],"carousel_elements":{},"actions":"a","deep_link_url":7}}"#,
        #"{"message":"{","bsft_message_uuid":{},"image_url":"u"}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws { #expect(try read(text) == PushPayload()) }
}
