import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct FirebaseDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        FirebaseDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"fcm_options":{}}"#, "fcm_options"), (#"{"aps":{},"fcm_options":{"image":"u"}}"#, "fcm_options"),
            (#"{"fcm_options":"x"}"#, nil), (#"{"fcm_options":null}"#, nil), (#"{"fcmOptions":{}}"#, nil),
            (#"{"gcm.message_id":"1","aps":{}}"#, nil),
        ] as [(String, String?)])
    func `a Firebase push is recognised by its options`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(FirebaseDialect().detect(object) == rule)
    }

    @Test func `the dialect reads the image, the texts, the ID and the link of a Firebase push`() throws {
        let payload = try read(
            #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1,"badge":9},"fcm_options":{"image":"u"},"gcm.message_id":"41","gcm.app_link":"app://x"}"#
        )
        #expect(payload.media == [MediaReference(url: "u", path: JSONPath([.key("fcm_options"), .key("image")]))])
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.aps.badge == 9)
        #expect(payload.aps.mutableContent)
        #expect(payload.providerID == "41")
        #expect(payload.details == ["link": "app://x"])
    }

    @Test func `an image for an iPhone has Firebase's size limit of 300,000 bytes`() throws {
        #expect(try read(#"{"fcm_options":{"image":"u"}}"#).imageBytes == [.apns: 300_000])
    }

    @Test(arguments: [
        #"{"fcm_options":{"image":7},"gcm.message_id":{},"gcm.app_link":5}"#,
        #"{"fcm_options":{"image":""},"gcm.message_id":"","gcm.app_link":""}"#,
        #"{"fcm_options":{"image":null},"gcm.message_id":null,"gcm.app_link":null,"aps":7}"#,
        #"{"fcm_options":{"image":["u"]},"gcm.message_id":[1],"gcm.app_link":["l"],"aps":[]}"#,
        #"{"fcm_options":{"image":"u","image":7}}"#, #"{"fcm_options":7}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
