import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct PushwooshDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        PushwooshDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"attachment":"u"}"#, true), (#"{"attachment":"u","event":"x"}"#, true),
        (#"{"attachment":{"url":"u"}}"#, false), (#"{"attachment":["u"]}"#, false), (#"{"attachment":7}"#, false),
        (#"{"attachment":null}"#, false), (#"{"p":"9A"}"#, false), (#"{"attachment-url":"u"}"#, false), ("{}", false),
    ])
    func `a Pushwoosh payload is recognised by an attachment that is a string`(text: String, isIts: Bool) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(PushwooshDialect().detect(object) == (isIts ? "attachment" : nil))
    }

    @Test func `the dialect reads the media item, the message ID and the link of a Pushwoosh payload`() throws {
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
    func `the details contain the sender's own data unchanged`(data: String, expected: JSONValue?) throws {
        #expect(try read(#"{"attachment":"u","u":\#(data)}"#).details["userData"] == expected)
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"attachment":"u"}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"attachment":7,"p":{},"l":7,"u":7}"#, #"{"attachment":{"url":"u"},"p":[],"l":{}}"#,
        #"{"attachment":["u"],"p":null,"l":null,"u":null}"#, #"{"attachment":"","p":"","l":""}"#,
        #"{"attachment":"u","attachment":null}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }

    @Test(
        arguments: [
            (#"{"pw_msg":"1"}"#, "pw_msg"), (#"{"message":{"data":{"pw_msg":"1"}}}"#, "message.data.pw_msg"),
            (#"{"request":{"notifications":[{}]}}"#, "request.notifications[]"),
            (#"{"request":{"notifications":[]}}"#, nil), (#"{"notifications":[{}]}"#, nil),
        ] as [(String, String?)])
    func `Android's data and a request are recognised by their keys`(text: String, rule: String?) throws {
        #expect(PushwooshDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the content of a request is read in the recipient's language`() throws {
        let text = #"{"request":{"notifications":[{"content":{"en":"E","de":"D"},"link":"l","data":{"a":1}}]}}"#
        let node = JSONNode(try JSONParser.value(of: text))
        let german = try #require(LanguageTag("de-AT"))
        #expect(PushwooshDialect().read(node).successText == NotificationText(body: "E"))
        #expect(PushwooshDialect().read(node, in: german.fallbacks).successText == NotificationText(body: "D"))
        #expect(PushwooshDialect().read(node).details == ["link": "l", "userData": ["a": 1]])
    }

    @Test func `an Android icon that is not a URL is a resource name, and is not a media item`() throws {
        #expect(try read(#"{"pw_msg":"1","b":"https://a/b","ci":"crest"}"#).media.map(\.url) == ["https://a/b"])
    }
}
