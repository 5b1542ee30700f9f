import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct AdobeDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        AdobeDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"media-attachment-url":"u"}"#, true), (#"{"media-attachment-url":7}"#, false),
        (#"{"media-attachment-url":null}"#, false), (#"{"media-attachment-url":{"url":"u"}}"#, false),
        (#"{"attachment-url":"u"}"#, false), (#"{"moengage":{"media-attachment":"u"}}"#, false),
        (#"{"_mId":"h1","_dId":"56c"}"#, false), ("{}", false),
    ])
    func `a payload is recognised as Adobe by the key of its media item`(text: String, isIts: Bool) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(AdobeDialect().detect(object) == (isIts ? "media-attachment-url" : nil))
    }

    @Test func `the dialect reads the media item, the IDs and the link of an Adobe payload`() throws {
        let payload = try read(#"{"uri":"app://x","_mId":"h1","_dId":"56c","media-attachment-url":"u"}"#)
        #expect(payload.media == [MediaReference(url: "u", path: JSONPath([.key("media-attachment-url")]))])
        #expect(payload.providerID == "h1")
        #expect(payload.details == ["link": "app://x", "deliveryId": "56c"])
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"},"badge":2},"media-attachment-url":"u"}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
        #expect(payload.aps.badge == 2)
    }

    @Test(arguments: [
        #"{"media-attachment-url":7,"_mId":{},"_dId":[],"uri":7}"#,
        #"{"media-attachment-url":["u"],"_mId":null,"_dId":null,"uri":null}"#,
        #"{"media-attachment-url":"","_mId":"","_dId":"","uri":""}"#,
        #"{"media-attachment-url":"u","media-attachment-url":{},"uri":"u","uri":{}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
