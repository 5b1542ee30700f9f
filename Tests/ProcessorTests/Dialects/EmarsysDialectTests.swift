import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct EmarsysDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        EmarsysDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"ems":{}}"#, true), (#"{"ems":{},"image_url":7}"#, true), (#"{"ems":7}"#, false),
        (#"{"ems":"{}"}"#, false), (#"{"ems":null}"#, false), (#"{"ems_msg":{}}"#, false),
        (#"{"image_url":"u"}"#, false), ("{}", false),
    ])
    func `an Emarsys payload is recognised by its dictionary ems`(text: String, isIts: Bool) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(EmarsysDialect().detect(object) == (isIts ? "ems" : nil))
    }

    @Test func `the image is read at the top level`() throws {
        let item = MediaReference(url: "u", path: JSONPath([.key("image_url")]))
        #expect(try read(#"{"ems":{"image_url":"v"},"image_url":"u"}"#).media == [item])
    }

    @Test(
        arguments: [
            (#"{"sid":"s"}"#, "s"), (#""{\"sid\":\"s\"}""#, "s"), (#"{"sid":7}"#, "7"), (#""{\"sid\":\"s""#, nil),
            (#""s""#, nil), ("7", nil), ("null", nil), (#"{"sid":{}}"#, nil),
        ] as [(String, String?)])
    func `the message's ID is read from an object or from a string of JSON`(message: String, expected: String?) throws {
        #expect(try read(#"{"ems":{},"u":\#(message)}"#).providerID == expected)
    }

    @Test func `buttons keep their order, and are read only if they have an ID and a title`() throws {
        let actions = try read(
            """
            {"ems":{"actions":[{"id":"b","title":"B"},{"id":"x"},{"title":"y"},7,{"id":"","title":"z"},
             {"id":"a","title":"A"}]}}
            """
        ).actions
        #expect(
            actions == [
                NotificationAction(identifier: "b", title: "B"), NotificationAction(identifier: "a", title: "A"),
            ])
    }

    @Test func `the details have the campaign and the link of the default action`() throws {
        let payload = try read(
            #"{"ems":{"multichannelId":"c1","default_action":{"type":"OpenExternalUrl","url":"app://x"}}}"#)
        #expect(payload.details == ["link": "app://x", "campaignId": "c1"])
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"ems":{},"body":"x"}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"ems":7,"image_url":7,"u":7}"#, #"{"ems":null,"image_url":null,"u":null}"#,
        #"{"ems":["a"],"image_url":["u"],"u":["s"]}"#, #"{"ems":"{\"multichannelId\":\"c\"}","image_url":""}"#,
        #"{"ems":{"actions":"a","default_action":"u","multichannelId":{}}}"#,
        #"{"ems":{"actions":{"0":{"id":"a","title":"A"}},"default_action":{"url":7}},"u":"{"}"#,
        #"{"image_url":"u","image_url":7,"ems":{"multichannelId":"c"},"ems":{}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
