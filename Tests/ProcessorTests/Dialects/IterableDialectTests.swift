import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct IterableDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        IterableDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"itbl":{}}"#, true), (#"{"itbl":"{}"}"#, true), (#"{"itbl":"{"}"#, false), (#"{"itbl":"7"}"#, false),
        (#"{"itbl":7}"#, false), (#"{"itbl":[{}]}"#, false), (#"{"itbl":null}"#, false),
        (#"{"attachment-url":"u"}"#, false), ("{}", false),
    ])
    func `an Iterable payload is recognised by its dictionary or by a JSON string in its place`(
        text: String, isIts: Bool
    ) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(IterableDialect().detect(object) == (isIts ? "itbl" : nil))
    }

    @Test(arguments: [
        #"{"itbl":{"attachment-url":"https://a.example/1","messageId":"m"}}"#,
        #"{"itbl":"{\"attachment-url\":\"https://a.example/1\",\"messageId\":\"m\"}"}"#,
    ])
    func `the dialect reads the media item and the message ID of an Iterable payload`(text: String) throws {
        let payload = try read(text)
        #expect(payload.media.map(\.url) == ["https://a.example/1"])
        #expect(payload.media.map(\.path?.description) == ["/itbl/attachment-url"])
        #expect(payload.media.map(\.declaredType) == [nil])
        #expect(payload.media.map(\.identifier) == [nil])
        #expect(payload.providerID == "m")
    }

    @Test func `the JSON path of a media item continues inside a JSON string`() throws {
        let media = try read(#"{"itbl":"{\"attachment-url\":\"u\"}"}"#).media
        #expect(media.map(\.path) == [JSONPath([.key("itbl"), .embedded, .key("attachment-url")])])
    }

    @Test func `buttons keep their order, and are read only if they have an identifier and a title`() throws {
        let actions = try read(
            """
            {"itbl":{"actionButtons":[{"identifier":"b","title":"B"},{"identifier":"x"},{"title":"y"},7,
             {"identifier":"","title":"z"},{"identifier":"w","title":""},{"identifier":"a","title":"A"}]}}
            """
        ).actions
        #expect(
            actions == [
                NotificationAction(identifier: "b", title: "B"), NotificationAction(identifier: "a", title: "A"),
            ])
    }

    @Test(
        arguments: [
            (#""itbl":{"defaultAction":{"type":"openUrl","data":"d"}},"url":"u""#, "d"),
            (#""itbl":{"defaultAction":{"type":"openApp"}},"url":"u""#, "u"), (#""itbl":{},"url":"u""#, "u"),
            (#""itbl":{"defaultAction":{"type":"openUrl","data":7}},"url":"u""#, nil),
            (#""itbl":{"defaultAction":"openUrl"},"url":7"#, nil), (#""itbl":{}"#, nil),
        ] as [(String, String?)])
    func `the link is read from the default action, or else from the older key`(
        keys: String, link: String?
    ) throws {
        #expect(try read("{\(keys)}").details["link"] == link.map { .string($0) })
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"itbl":{"title":"x"}}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"itbl":7}"#, #"{"itbl":null}"#, #"{"itbl":"{\"attachment-url\":\"u"}"#, #"{"itbl":"[\"u\"]"}"#,
        #"{"itbl":{"attachment-url":7,"messageId":{},"actionButtons":"a"}}"#,
        #"{"itbl":{"attachment-url":["u"],"messageId":[],"actionButtons":{"0":{"identifier":"a","title":"A"}}}}"#,
        #"{"itbl":{"attachment-url":"","messageId":"","actionButtons":[null,[],"x",{"identifier":{},"title":7}]}}"#,
        #"{"itbl":{"attachment-url":"u","messageId":"m"},"itbl":{}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
