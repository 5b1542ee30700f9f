import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct FCMDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        FCMDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"message":{}}"#, "message"), (#"{"message":{"topic":"t"},"validate_only":true}"#, "message"),
            (#"{"message":"hello"}"#, nil), (#"{"message":[]}"#, nil), (#"{"message":null}"#, nil),
            (#"{"notification":{"image":"u"}}"#, nil),
        ] as [(String, String?)])
    func `a message to FCM is recognised by the key message`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(FCMDialect().detect(object) == rule)
    }

    @Test func `each image has its platform, its role and its JSON path`() throws {
        let media = try read(
            #"""
            {"message":{"webpush":{"notification":{"actions":[{"action":"a","icon":"6"},{"icon":"7"}],"badge":"5","icon":"4","image":"3"}},
             "apns":{"fcm_options":{"image":"2"}},"android":{"notification":{"image":"1"}},"notification":{"image":"0"}}}
            """#
        ).media
        #expect(media.map(\.url) == ["0", "1", "2", "3", "4", "5", "6", "7"])
        #expect(
            media.map(\.platform) == [
                .any, .android, .apns, .webpush, .webpush, .webpush, .webpush, .webpush,
            ])
        #expect(
            media.map(\.role) == [
                .attachment, .attachment, .attachment, .attachment, .icon, .badge, .actionIcon, .actionIcon,
            ])
        #expect(
            media.map(\.path?.description) == [
                "/message/notification/image", "/message/android/notification/image", "/message/apns/fcm_options/image",
                "/message/webpush/notification/image", "/message/webpush/notification/icon",
                "/message/webpush/notification/badge", "/message/webpush/notification/actions/0/icon",
                "/message/webpush/notification/actions/1/icon",
            ])
        #expect(media.allSatisfy { $0.identifier == nil && $0.declaredType == nil })
    }

    @Test(arguments: [
        (#""notification":{"title":"T","body":"B"}"#, "T", "B"),
        (
            #""notification":{"title":"T","body":"B"},"apns":{"payload":{"aps":{"alert":{"title":"t","body":"b"}}}},"android":{"notification":{"title":"t"}}"#,
            "T", "B"
        ),
        (#""notification":{"title":"T"},"apns":{"payload":{"aps":{"alert":"B"}}}"#, "T", "B"),
        (
            #""apns":{"payload":{"aps":{"alert":{"body":"B"}}}},"android":{"notification":{"title":"T","body":"b"}},"webpush":{"notification":{"title":"t"}}"#,
            "T", "B"
        ),
        (#""webpush":{"notification":{"title":"T","body":"B"}}"#, "T", "B"),
        (
            #""notification":7,"android":{"notification":{"title":7,"body":"B"}},"webpush":{"notification":{"title":"T"}}"#,
            "T", "B"
        ),
    ])
    func `the text is read from the message, and its missing lines are read from a platform's part`(
        members: String, title: String, body: String
    ) throws {
        let payload = try read(#"{"message":{\#(members)}}"#)
        #expect(payload.successText == NotificationText(title: title, body: body))
        #expect(payload.fallbackText == nil)
    }

    @Test func `badge, sound, category and thread are read from the payload for APNs`() throws {
        let aps = try read(
            #"{"message":{"apns":{"payload":{"aps":{"badge":3,"sound":"s","category":"c","thread-id":"t","mutable-content":1}}},"android":{"notification":{"notification_count":5,"sound":"a"}}}}"#
        ).aps
        #expect(aps.badge == 3)
        #expect(aps.sound == NotificationSound(name: "s"))
        #expect(aps.category == "c")
        #expect(aps.threadIdentifier == "t")
        #expect(aps.mutableContent)
        #expect(!aps.hasVisibleAlert)
    }

    @Test func `Android's count and sound are read if aps has no badge and no sound`() throws {
        let aps = try read(#"{"message":{"android":{"notification":{"notification_count":5,"sound":"a"}}}}"#).aps
        #expect(aps.badge == 5)
        #expect(aps.sound == NotificationSound(name: "a"))
    }

    @Test(arguments: [("", true, false), (#","notification":{"body":"B"}"#, false, true)])
    func `a push with content-available is not silent if the message has a text`(
        members: String, isSilent: Bool, hasAlert: Bool
    ) throws {
        let payload = try read(#"{"message":{"apns":{"payload":{"aps":{"content-available":1}}}\#(members)}}"#)
        #expect(payload.isSilent == isSilent)
        #expect(payload.aps.hasVisibleAlert == hasAlert)
    }

    @Test func `the dialect reads the ID, the actions, the link, the data and the channel of a message`() throws {
        let payload = try read(
            #"""
            {"message":{"name":"projects/p/messages/1","token":"secret","data":{"k":"v"},"android":{"notification":{"channel_id":"weather"}},
             "webpush":{"notification":{"actions":[{"action":"open","title":"Open"},{"action":"x"},{"title":"X"},7]},
             "fcm_options":{"link":"https://app.example/"}}}}
            """#)
        #expect(payload.providerID == "projects/p/messages/1")
        #expect(payload.actions == [NotificationAction(identifier: "open", title: "Open")])
        #expect(payload.details == ["link": "https://app.example/", "data": ["k": "v"], "channelId": "weather"])
    }

    @Test(arguments: [
        #"{"message":7}"#, #"{"message":{"notification":7,"android":7,"apns":7,"webpush":7,"data":7,"name":7}}"#,
        #"{"message":{"notification":{"image":7,"title":7,"body":{}},"android":{"notification":[]},"apns":{"payload":"x","fcm_options":"y"}}}"#,
        #"{"message":{"webpush":{"notification":{"image":7,"icon":[],"badge":{},"actions":{"icon":"u"}},"fcm_options":{"link":7}}}}"#,
        #"{"message":{"webpush":{"notification":{"actions":["u",7,null,{"icon":7,"action":7,"title":7}]}}}}"#,
        #"{"message":{"apns":{"payload":{"aps":7}},"android":{"notification":{"notification_count":"5","sound":7,"channel_id":7}}}}"#,
        #"{"message":{"notification":{"image":"u","image":null}}}"#, #"{"message":{"notification":{"image":""}}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text).saysNothing)
    }
}
