import JSON
import NotificationModel
import NotificationProcessor
import Testing

@Suite struct PushwooshDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        PushwooshDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"attachment":"u"}"#, true), (#"{"attachment":"u","event":"x"}"#, true),
        (#"{"attachment":{"url":"u"}}"#, false), (#"{"attachment":["u"]}"#, false), (#"{"attachment":7}"#, false),
        (#"{"attachment":null}"#, false), (#"{"p":"9A"}"#, false), (#"{"attachment-url":"u"}"#, false), ("{}", false),
    ])
    func `an attachment that is a string names it`(text: String, isIts: Bool) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(PushwooshDialect().detect(object) == (isIts ? "attachment" : nil))
    }

    @Test func `the medium, the message and the link`() throws {
        let payload = try read(#"{"l":"app://x","p":"9A","md":"match","attachment":"u"}"#)
        #expect(payload.media == [MediaReference(url: "u", path: JSONPath([.key("attachment")]))])
        #expect(payload.providerID == "9A")
        #expect(payload.details == ["link": "app://x"])
    }

    @Test(
        arguments: [
            (#""{\"a\":1}""#, .string(#"{"a":1}"#)), (#"{"a":1}"#, .object(["a": 1])), ("7", nil), ("[]", nil),
            ("null", nil),
        ] as [(String, JSONValue?)])
    func `the sender's own data goes along as it is`(data: String, expected: JSONValue?) throws {
        #expect(try read(#"{"attachment":"u","u":\#(data)}"#).details["userData"] == expected)
    }

    @Test func `the text is the alert's, on both sides`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"attachment":"u"}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"attachment":7,"p":{},"l":7,"u":7}"#, #"{"attachment":{"url":"u"},"p":[],"l":{}}"#,
        #"{"attachment":["u"],"p":null,"l":null,"u":null}"#, #"{"attachment":"","p":"","l":""}"#,
        #"{"attachment":"u","attachment":null}"#,
    ])
    func `what is not of its type is not there`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }

    @Test(
        arguments: [
            (#"{"pw_msg":"1"}"#, "pw_msg"), (#"{"message":{"data":{"pw_msg":"1"}}}"#, "message.data.pw_msg"),
            (#"{"request":{"notifications":[{}]}}"#, "request.notifications[]"),
            (#"{"request":{"notifications":[]}}"#, nil), (#"{"notifications":[{}]}"#, nil),
        ] as [(String, String?)])
    func `Android's data and a request are known by their keys`(text: String, rule: String?) throws {
        #expect(PushwooshDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `a request has its content in the receiver's language`() throws {
        let text = #"{"request":{"notifications":[{"content":{"en":"E","de":"D"},"link":"l","data":{"a":1}}]}}"#
        let node = JSONNode(try JSONParser.value(of: text))
        let german = try #require(LanguageTag("de-AT"))
        #expect(PushwooshDialect().read(node).successText == NotificationText(body: "E"))
        #expect(PushwooshDialect().read(node, in: [german]).successText == NotificationText(body: "D"))
        #expect(PushwooshDialect().read(node).details == ["link": "l", "userData": ["a": 1]])
    }

    @Test func `an icon of Android that is no URL is a resource of the app`() throws {
        #expect(try read(#"{"pw_msg":"1","b":"https://a/b","ci":"crest"}"#).media.map(\.url) == ["https://a/b"])
    }
}
