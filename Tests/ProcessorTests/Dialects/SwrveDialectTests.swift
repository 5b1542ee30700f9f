import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct SwrveDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        SwrveDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"_sw":{}}"#, "_sw"),
            (#"{"_sw":"{}"}"#, "_sw"),
            (#"{"_p":"1","text":"B"}"#, "_p+text"),
            (#"{"message":{"data":{"_p":"1","text":"B"}}}"#, "message.data._p+text"),
            (#"{"to":"x","data":{"_sw":"{}"}}"#, "data._sw"),
            (#"{"aps":{},"_p":"1","text":"B"}"#, nil),
            (#"{"_sw":"x"}"#, nil),
            (#"{"_sw":7}"#, nil),
            (#"{"_p":"1"}"#, nil),
            (#"{"data":{"_sw":{}}}"#, nil),
        ] as [(String, String?)])
    func `a Swrve payload is recognised by its message or by an ID next to a text`(text: String, rule: String?) throws {
        #expect(SwrveDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the file at fallback_url is a thumbnail, and the file at url is the attachment`() throws {
        let payload = try read(#"{"aps":{"alert":"B"},"_sw":{"media":{"url":"u","fallback_url":"v","body":"C"}}}"#)
        #expect(payload.media.map(\.url) == ["u", "v"])
        #expect(payload.media.map(\.role) == [.attachment, .thumbnail])
        #expect(payload.successText == NotificationText(body: "C"))
        #expect(payload.fallbackText == NotificationText(body: "B"))
    }

    @Test func `the text is read from the alert if the payload has no media item`() throws {
        let payload = try read(#"{"aps":{"alert":"B"},"_sw":{"media":{"body":"C"}},"_p":"7","_d":"old","_sd":"new"}"#)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.providerID == "7")
        #expect(payload.details == ["link": "new"])
    }

    @Test func `the identifier of a button is its index`() throws {
        let payload = try read(#"{"aps":{},"_sw":{"buttons":[{"title":"A"},{"x":1},{"title":"C"}]}}"#)
        #expect(payload.actions.map(\.identifier) == ["0", "2"])
    }

    @Test(arguments: [
        #"{"_sw":{"media":7,"buttons":{},"icon_url":7}}"#, #"{"_sw":"{\"media\":[]}","text":7,"_p":{},"_sd":7}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws { #expect(try read(text) == PushPayload()) }
}
