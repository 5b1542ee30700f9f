import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct SalesforceDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        SalesforceDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"_mediaUrl":"u"}"#, true), (#"{"_mediaUrl":""}"#, true), (#"{"_mediaUrl":7}"#, false),
        (#"{"_mediaUrl":null}"#, false), (#"{"_mediaAlt":"x"}"#, false), (#"{"mediaUrl":"u"}"#, false), ("{}", false),
    ])
    func `a Salesforce payload is recognised by the key of its media item`(text: String, isIts: Bool) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(SalesforceDialect().detect(object) == (isIts ? "_mediaUrl" : nil))
    }

    @Test func `the media item of a Salesforce payload is read from _mediaUrl`() throws {
        let item = MediaReference(url: "u", path: JSONPath([.key("_mediaUrl")]))
        #expect(try read(#"{"_mediaAlt":"x","_mediaUrl":"u"}"#).media == [item])
    }

    @Test(
        arguments: [
            (#"{"title":"t","subtitle":"s","body":"b"}"#, NotificationText(title: "t", subtitle: "s", body: "b")),
            (#""b""#, NotificationText(body: "b")), ("7", NotificationText()),
        ] as [(String, NotificationText)])
    func `the fallback text has the body from _mediaAlt, and its other lines from the alert`(
        alert: String, text: NotificationText
    ) throws {
        let payload = try read(#"{"aps":{"alert":\#(alert)},"_mediaUrl":"u","_mediaAlt":"other"}"#)
        #expect(payload.successText == text)
        #expect(
            payload.fallbackText == NotificationText(title: text.title, subtitle: text.subtitle, body: "other"))
    }

    @Test(arguments: ["7", "null", #""""#, "{}", "[]"])
    func `a payload without a text in _mediaAlt has no fallback text`(text: String) throws {
        #expect(try read(#"{"aps":{"alert":"b"},"_mediaUrl":"u","_mediaAlt":\#(text)}"#).fallbackText == nil)
        #expect(try read(#"{"aps":{"alert":"b"},"_mediaUrl":"u"}"#).fallbackText == nil)
    }

    @Test(
        arguments: [
            (#"{"_x":"x","_od":"od"}"#, "od"), (#"{"_x":"x"}"#, "x"), (#"{"_x":"x","_od":7}"#, "x"),
            (#"{"_x":{},"_od":""}"#, nil), ("{}", nil),
        ] as [(String, String?)])
    func `the link is read from OpenDirect, or from the CloudPage if OpenDirect is missing`(text: String, link: String?)
        throws
    {
        #expect(try read(text).details["link"] == link.map { .string($0) })
    }

    @Test func `the message's ID is read`() throws {
        #expect(try read(#"{"_m":"MjA6MTE0OjA","_sid":"SFMC"}"#).providerID == "MjA6MTE0OjA")
    }

    @Test(arguments: [
        #"{"_mediaUrl":7,"_mediaAlt":7,"_m":{},"_od":7}"#, #"{"_mediaUrl":["u"],"_mediaAlt":["x"],"_m":[],"_x":{}}"#,
        #"{"_mediaUrl":null,"_mediaAlt":null,"_m":null,"_od":null}"#, #"{"_mediaUrl":"","_m":""}"#,
        #"{"_mediaUrl":"u","_mediaUrl":7,"_mediaAlt":"x","_mediaAlt":null}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }

    @Test(
        arguments: [
            (#"{"aps":{},"_m":"m","_sid":"SFMC"}"#, "_sid=SFMC"), (#"{"aps":{},"_m":"m","_r":"r"}"#, "_m+_r"),
            (#"{"aps":{},"_m":"m","_h":"h"}"#, "_m+_h"), (#"{"aps":{},"_m":"m"}"#, nil),
            (#"{"aps":{},"_r":"r","_h":"h"}"#, nil), (#"{"_sid":"other"}"#, nil),
            (#"{"message":{"data":{"_sid":"SFMC"}}}"#, "message.data._sid=SFMC"),
        ] as [(String, String?)])
    func `a push without media is recognised by the vendor's identifiers`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(SalesforceDialect().detect(object) == rule)
    }

    @Test func `the text of a push for Android is read at the top level`() throws {
        let keys = #""title":"T","subtitle":"S","alert":"B","_sid":"SFMC","_mediaUrl":"u","_mediaAlt":"F""#
        for text in ["{\(keys)}", #"{"message":{"data":{\#(keys)}}}"#] {
            let payload = try read(text)
            #expect(payload.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
            #expect(payload.fallbackText == NotificationText(title: "T", subtitle: "S", body: "F"))
            #expect(payload.media.map(\.url) == ["u"])
        }
    }
}
