import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct ExpoDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        ExpoDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"richContent":{"image":"u"}}"#, "richContent"), (#"{"richContent":{}}"#, "richContent"),
            (#"{"body":{"_richContent":{"image":"u"}}}"#, "body._richContent"),
            (#"{"richContent":7,"body":{"_richContent":{}}}"#, "body._richContent"), (#"{"richContent":"u"}"#, nil),
            (#"{"body":{"_richContent":7}}"#, nil), (#"{"body":{"richContent":{}}}"#, nil),
            (#"{"body":"_richContent"}"#, nil), (#"{"_richContent":{"image":"u"}}"#, nil),
            (#"{"body":{"_k":"k"}}"#, nil), ("{}", nil),
        ] as [(String, String?)])
    func `an Expo payload is recognised by its rich content`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(ExpoDialect().detect(object) == rule)
    }

    @Test(arguments: [
        (#"{"richContent":{"image":"u"}}"#, "u", "/richContent/image"),
        (#"{"body":{"_richContent":{"image":"v"}}}"#, "v", "/body/_richContent/image"),
        (#"{"body":{"_richContent":{"image":"v"}},"richContent":{"image":"u"}}"#, "u", "/richContent/image"),
        (#"{"body":{"_richContent":{"image":"v"}},"richContent":{"image":7}}"#, "v", "/body/_richContent/image"),
    ])
    func `the image is read at either of two paths`(text: String, url: String, path: String) throws {
        let media = try read(text).media
        #expect(media.map(\.url) == [url])
        #expect(media.map(\.path?.description) == [path])
        #expect(media.allSatisfy { $0.identifier == nil && $0.declaredType == nil && $0.role == .attachment })
    }

    @Test func `the text is read from aps, or from the message if the message was not sent through APNs`() throws {
        let content = #""richContent":{"image":"u"}"#
        let message = try read(#"{"title":"T","subtitle":"S","body":"B",\#(content)}"#)
        #expect(message.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
        let push = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"title":"T","body":{"x":1}}"#)
        #expect(push.successText == NotificationText(title: "t", body: "b"))
        #expect(push.fallbackText == nil)
        #expect(message.fallbackText == nil)
    }

    @Test(
        arguments: [
            (#"{"body":{"url":"u"}}"#, "u"), (#"{"body":"text","data":{"url":"v"}}"#, "v"),
            (#"{"body":{"url":"u"},"data":{"url":"v"}}"#, "u"), (#"{"body":{"url":7},"data":"v"}"#, nil),
            (#"{"url":"u"}"#, nil),
        ] as [(String, String?)])
    func `the link is read from the sender's data`(text: String, link: String?) throws {
        #expect(try read(text).details["link"] == link.map { .string($0) })
    }

    @Test(arguments: [
        #"{"richContent":7,"body":7,"data":7}"#, #"{"richContent":"u","body":["_richContent"],"data":null}"#,
        #"{"richContent":{"image":7},"body":{"_richContent":"u"}}"#, #"{"richContent":{"image":""},"body":null}"#,
        #"{"richContent":["u"],"body":{"_richContent":{"image":{}}}}"#,
        #"{"richContent":{"image":"u"},"richContent":null,"title":7}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text).saysNothing)
    }

    @Test(
        arguments: [
            (#"{"to":"ExponentPushToken[x]"}"#, "to=ExponentPushToken"),
            (#"{"to":["ExpoPushToken[x]"]}"#, "to=ExponentPushToken"), (#"{"to":"x"}"#, nil), (#"{"to":[]}"#, nil),
            (#"{"to":"ExponentPushToken[x]","aps":{}}"#, nil),
        ] as [(String, String?)])
    func `a message without rich content is recognised by its recipient's token`(text: String, rule: String?) throws {
        #expect(ExpoDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the badge and the sound of a message to the push service are read`() throws {
        let payload = try read(#"{"to":"ExpoPushToken[x]","body":"B","badge":2,"sound":"default"}"#)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.aps.badge == 2)
        #expect(payload.aps.sound == NotificationSound(name: "default"))
    }
}
