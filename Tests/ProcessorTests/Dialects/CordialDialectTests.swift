import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct CordialDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        CordialDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"system":{"messageAttribution":{"mcID":"m"},"mcID":"n"}}"#, "system.messageAttribution.mcID"),
            (#"{"aps":{},"system":{"mcID":"m"}}"#, "system.mcID"), (#"{"aps":{},"mcID":"m"}"#, "mcID"),
            (#"{"aps":{},"system":"m"}"#, nil), (#"{"aps":{},"mcID":7}"#, nil), (#"{"aps":{},"imageURL":"u"}"#, nil),
        ] as [(String, String?)])
    func `a Cordial payload is recognised by the identifier of the message`(text: String, rule: String?) throws {
        #expect(CordialDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test(arguments: [
        #"{"aps":{"alert":"B"},"imageURL":"u","system":{"mcID":"m","deepLink":{"url":"app://1"}},"deepLink":{"url":"no"}}"#,
        #"{"aps":{"alert":"B"},"imageURL":"u","system":{"mcID":"m","deepLink":"{\"url\":\"app://1\"}"}}"#,
        #"{"aps":{"alert":"B"},"imageURL":"u","mcID":"m","deepLink":{"url":"app://1"}}"#,
    ])
    func `the dialect reads the media item, the message ID and the link of a Cordial payload`(text: String) throws {
        let payload = try read(text)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.providerID == "m")
        #expect(payload.details == ["link": "app://1"])
    }

    @Test(arguments: [
        #"{"imageURL":7,"mcID":{},"deepLink":"x","system":[]}"#,
        #"{"imageURL":["u"],"system":{"mcID":7,"deepLink":7}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws { #expect(try read(text) == PushPayload()) }
}
