import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct KlaviyoDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        KlaviyoDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"rich-media":"u"}"#, "rich-media"), (#"{"rich-media":"u","body":{"_k":"k"}}"#, "rich-media"),
            (#"{"body":{"_k":{}}}"#, "body._k"), (#"{"body":{"_k":"k"}}"#, "body._k"),
            (#"{"rich-media":7,"body":{"_k":"k"}}"#, "body._k"), (#"{"rich-media":7}"#, nil),
            (#"{"body":{"_k":null}}"#, nil), (#"{"body":"_k"}"#, nil), (#"{"body":{"_richContent":{}}}"#, nil),
            (#"{"_k":"k"}"#, nil), (#"{"rich-media-type":"jpg"}"#, nil), ("{}", nil),
        ] as [(String, String?)])
    func `a Klaviyo payload is recognised by its media or its body`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(KlaviyoDialect().detect(object) == rule)
    }

    @Test(arguments: [
        (#""rich-media-type":"gif""#, "gif"), (#""rich-media-type":"""#, "jpg"), (#""rich-media-type":7"#, "jpg"),
        (#""rich-media-type":null"#, "jpg"), (#""x":1"#, "jpg"),
    ])
    func `a media item without a declared type is read as a JPEG`(key: String, type: String) throws {
        let item = MediaReference(
            url: "u", path: JSONPath([.key("rich-media")]), declaredType: .fileExtension(type))
        #expect(try read(#"{"rich-media":"u",\#(key)}"#).media.map(\.withoutClaims) == [item])
    }

    @Test func `buttons keep their order, and are read only if they have an ID and a label`() throws {
        let actions = try read(
            """
            {"body":{"action_buttons":[{"id":"b","label":"B","action":"deep_link"},{"id":"x"},{"label":"y"},7,null,
             {"id":"","label":"z"},{"id":"a","label":"A"}]}}
            """
        ).actions
        #expect(
            actions == [
                NotificationAction(identifier: "b", title: "B"), NotificationAction(identifier: "a", title: "A"),
            ])
    }

    @Test(
        arguments: [
            (#"{"url":"u","body":{"url":"v"}}"#, "u"), (#"{"body":{"url":"v"}}"#, "v"),
            (#"{"url":7,"body":{"url":"v"}}"#, "v"), (#"{"url":{},"body":{"url":[]}}"#, nil), (#"{"body":"v"}"#, nil),
        ] as [(String, String?)])
    func `the link is read at the top level or in the body`(text: String, link: String?) throws {
        #expect(try read(text).details["link"] == link.map { .string($0) })
    }

    @Test(
        arguments: [
            (#""k""#, "k"), (#"{"Message Name":"stock"}"#, nil), ("7", "7"), ("[]", nil), ("null", nil),
        ] as [(String, String?)])
    func `the ID of a message is read from a string or a number`(key: String, expected: String?) throws {
        #expect(try read(#"{"body":{"_k":\#(key)}}"#).providerID == expected)
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"body":{"title":"x"}}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"rich-media":7,"body":7}"#, #"{"rich-media":null,"body":null}"#, #"{"rich-media":["u"],"body":["_k"]}"#,
        #"{"rich-media":{"url":"u"},"body":"{\"_k\":"}"#, #"{"rich-media":"","body":{"action_buttons":"a"}}"#,
        #"{"body":{"_k":{},"action_buttons":{"0":{"id":"a","label":"A"}}}}"#,
        #"{"rich-media":"u","rich-media":7,"body":{"_k":"k"},"body":{}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
