import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct PinpointDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        PinpointDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"data":{"pinpoint":{}}}"#, "data.pinpoint"),
            (#"{"pinpoint.campaign.campaign_id":"c"}"#, "pinpoint.*"),
            (#"{"message":{"data":{"pinpoint.url":"u"}}}"#, "message.data.pinpoint.*"),
            (#"{"MessageConfiguration":{}}"#, "MessageConfiguration"),
            (#"{"aps":{},"data":{"media-url":"u"}}"#, nil),
            (#"{"data":{"pinpoint":"x"}}"#, nil),
            (#"{"pinpoint":{}}"#, nil),
            (#"{"MessageConfiguration":7}"#, nil),
        ] as [(String, String?)])
    func `a Pinpoint payload is recognised in each of its three forms`(text: String, rule: String?) throws {
        #expect(PinpointDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the provider ID is the ID of the campaign, or the ID of the journey if there is no campaign`() throws {
        let campaign = #"{"campaign":{"campaign_id":"c"},"journey":{"journey_id":"j"},"deeplink":"d"}"#
        #expect(try read(#"{"data":{"pinpoint":\#(campaign)}}"#).providerID == "c")
        #expect(try read(#"{"data":{"pinpoint":\#(campaign)}}"#).details == ["link": "d"])
        #expect(try read(#"{"data":{"pinpoint":{"journey":{"journey_id":"j"}}}}"#).providerID == "j")
    }

    @Test(arguments: [("1", true), ("0", false), ("true", false)])
    func `a push for Android is silent if silentPush is 1`(flag: String, isSilent: Bool) throws {
        #expect(try read(#"{"pinpoint.notification.silentPush":"\#(flag)"}"#).isSilent == isSilent)
    }

    @Test func `the default message of a request is the common text, and APNSMessage is the text for Apple`() throws {
        let payload = try read(
            """
            {"MessageConfiguration":{"DefaultPushNotificationMessage":{"Title":"T","Body":"B","Url":"l"},
             "APNSMessage":{"Body":"I"}}}
            """)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.platformTexts == [.apns: NotificationText(body: "I")])
        #expect(payload.details == ["link": "l"])
    }
}
