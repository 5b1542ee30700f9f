import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct MixpanelDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        MixpanelDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"mp_media_url":"u"}"#, "mp_media_url"), (#"{"aps":{},"mp_buttons":[]}"#, "mp_buttons"),
            (#"{"aps":{},"mp":{"distinct_id":"d"}}"#, "mp.distinct_id"), (#"{"mp_message":"B"}"#, "mp_message"),
            (#"{"message":{"data":{"mp_message":"B","mp_img":"u"}}}"#, "message.data.mp_message"),
            (#"{"to":"x","data":{"mp":"{\"distinct_id\":7}"}}"#, "data.mp.distinct_id"),
            (#"{"aps":{},"mp":"x"}"#, nil), (#"{"aps":{},"mp":{}}"#, nil), (#"{"aps":{},"mp_other":"x"}"#, nil),
            (#"{"data":{"mp_message":"B"}}"#, nil),
        ] as [(String, String?)])
    func `a Mixpanel payload is recognised by its keys`(text: String, rule: String?) throws {
        #expect(MixpanelDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the text, the media item, the buttons and the link of a push to an iPhone are read`() throws {
        let payload = try read(
            #"""
            {"aps":{"alert":"B"},"mp_title":"no","mp_media_url":"u","mp_ontap":{"uri":"app://1"},"mp_cta":"c",
             "mp_buttons":[{"id":"a","lbl":"A"},{"id":"b"},{"lbl":"C"}]}
            """#)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.actions == [NotificationAction(identifier: "a", title: "A")])
        #expect(payload.details == ["link": "app://1"])
    }

    @Test func `lists and objects in Android's data are read from strings of JSON`() throws {
        let payload = try read(
            #"""
            {"mp_title":"T","mp_subtxt":"S","mp_message":"B","mp_img":"u","mp_icnm_l":"https://a/i","mp_campaign_id":"7",
             "mp_buttons":"[{\"id\":\"a\",\"lbl\":\"A\"}]","mp_ontap":"{\"uri\":\"app://1\"}"}
            """#)
        #expect(payload.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
        #expect(payload.media.map(\.role) == [.attachment, .icon])
        #expect(payload.actions.map(\.identifier) == ["a"])
        #expect(payload.providerID == "7")
        #expect(payload.details == ["link": "app://1"])
    }

    @Test func `an icon with a resource name is not a media item, and a silent push has no text`() throws {
        let payload = try read(#"{"mp_message":"B","mp_icnm_l":"leaf","mp_silent":"true"}"#)
        #expect(payload.media.isEmpty)
        #expect(payload.isSilent)
    }

    @Test(arguments: [
        #"{"mp_media_url":7,"mp_buttons":7,"mp_ontap":[],"mp_message_id":{}}"#,
        #"{"mp_message":7,"mp_title":[],"mp_img":{},"mp_buttons":"{","mp_ontap":"x","mp_silent":true}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws { #expect(try read(text) == PushPayload()) }
}
