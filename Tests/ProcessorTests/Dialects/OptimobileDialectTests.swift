import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct OptimobileDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        OptimobileDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"custom":{"a":{"k.message":{}}}}"#, "custom.a.k.message"),
            (#"{"custom":"{\"a\":{\"k.message\":{}}}"}"#, "custom.a.k.message"),
            (#"{"message":{"data":{"custom":"{\"a\":{\"k.message\":{}}}"}}}"#, "message.data.custom.a.k.message"),
            (#"{"aps":{},"custom":{"a":{"k.message":7}}}"#, nil), (#"{"aps":{},"custom":{"i":"x"}}"#, nil),
            (#"{"aps":{},"attachments":{"pictureUrl":"u"}}"#, nil),
        ] as [(String, String?)])
    func `an Optimobile payload is recognised by the message in its data`(text: String, rule: String?) throws {
        #expect(OptimobileDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the image of a push to an iPhone is read next to aps`() throws {
        let payload = try read(
            #"""
            {"aps":{"alert":"B"},"title":"no","attachments":{"pictureUrl":"u"},
             "custom":{"u":"app://1","a":{"k.message":{"data":{"id":7}},"k.buttons":[{"id":"a","text":"A"},{"id":"b"}]}}}
            """#)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.providerID == "7")
        #expect(payload.actions == [NotificationAction(identifier: "a", title: "A")])
        #expect(payload.details == ["link": "app://1"])
    }

    @Test func `the text and the image in Android's data are read at the top level`() throws {
        let payload = try read(
            #"{"title":"T","alert":"B","bicon":"u","custom":"{\"a\":{\"k.message\":{\"data\":{\"id\":7}}}}"}"#)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.providerID == "7")
    }

    @Test(arguments: [
        #"{"custom":{"a":{"k.message":{"data":7},"k.buttons":{}},"u":7},"attachments":{"pictureUrl":7}}"#,
        #"{"custom":"{","bicon":7,"title":[],"alert":{}}"#, #"{"attachments":"u","custom":{"a":[]}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws { #expect(try read(text) == PushPayload()) }
}
