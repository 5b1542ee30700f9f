import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct WonderPushDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        WonderPushDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"_wp":{}}"#, "_wp"),
            (#"{"_wp":"{}"}"#, "_wp"),
            (#"{"message":{"data":{"_wp":"{}"}}}"#, "message.data._wp"),
            (#"{"notification":{"alert":{}},"targetSegmentIds":[]}"#, "notification.alert{}"),
            (#"{"notification":{"alert":{}},"campaignId":"c"}"#, "notification.alert{}"),
            (#"{"notification":{"alert":{}}}"#, nil),
            (#"{"notification":{"alert":"B"},"targetTags":[]}"#, nil),
            (#"{"_wp":"x"}"#, nil),
            (#"{"_wp":7}"#, nil),
        ] as [(String, String?)])
    func `a WonderPush payload is recognised as a push with its message object, and as a request to the API`(
        text: String, rule: String?
    ) throws {
        #expect(WonderPushDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test(
        arguments: [
            ("image/png", .mimeType("image/png")), ("png", .fileExtension("png")),
            ("public.png", .mediaClass("public.png")),
        ] as [(String, DeclaredMediaType)])
    func `a type is read from a MIME type, an extension or Apple's name`(type: String, expected: DeclaredMediaType)
        throws
    {
        let payload = try read(#"{"aps":{},"_wp":{"attachments":[{"url":"u","type":"\#(type)"}]}}"#)
        #expect(payload.media.map(\.declaredType) == [expected])
        #expect(payload.media.map(\.claims.count) == [1])
    }

    @Test func `options are read from the names of Apple's keys`() throws {
        let options =
            #"{"UNNotificationAttachmentOptionsThumbnailHiddenKey":true,"#
            + #""UNNotificationAttachmentOptionsThumbnailTimeKey":2}"#
        let media = try read(#"{"aps":{},"_wp":{"attachments":[{"url":"u","id":"a","options":\#(options)}]}}"#).media
        #expect(media.map(\.options.thumbnailHidden) == [true])
        #expect(media.map(\.options.thumbnailTime) == [2])
        #expect(media.map(\.identifier) == ["a"])
    }

    @Test func `a platform's own text takes precedence over the common text of a request`() throws {
        let payload = try read(
            #"{"notification":{"alert":{"title":"T","text":"B","ios":{"body":"I"},"android":{"text":"A"}}}}"#)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.platformTexts == [.apns: NotificationText(body: "I"), .android: NotificationText(body: "A")])
    }

    @Test func `a push for Android has the text at the top level, and its resource icon is no media item`() throws {
        let payload = try read(#"{"alert":"B","_wp":"{\"n\":\"n1\",\"alert\":{\"largeIcon\":\"ic\"}}"}"#)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.media == [])
        #expect(payload.providerID == "n1")
    }
}
