import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct CountlyDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        CountlyDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"c":{"i":"m"}}"#, "c.i"), (#"{"c.i":"m"}"#, "c.i"),
            (#"{"message":{"data":{"c.i":"m"}}}"#, "message.data.c.i"), (#"{"to":"x","data":{"c.i":"m"}}"#, "data.c.i"),
            (#"{"aps":{},"c":{"a":"u"}}"#, nil), (#"{"aps":{},"c":"m"}"#, nil), (#"{"c.m":"u"}"#, nil),
            (#"{"data":{"c.i":"m"}}"#, nil),
        ] as [(String, String?)])
    func `a Countly payload is recognised by its identifier`(text: String, rule: String?) throws {
        #expect(CountlyDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `a push for Apple's platforms is read from the keys in the object c`() throws {
        let payload = try read(
            #"{"aps":{"alert":"B"},"message":"no","c":{"i":"m","a":"u","m":"no","l":"app://1","b":[{"t":"A"},{},{"t":"C"}]}}"#
        )
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.actions.map(\.identifier) == ["1", "3"])
        #expect(payload.providerID == "m")
        #expect(payload.details == ["link": "app://1"])
    }

    @Test func `a push for Android is read from the keys that begin with c and a dot`() throws {
        let payload = try read(
            #"{"c.i":"m","title":"T","message":"B","c.m":"u","c.a":"no","c.l":"app://1","c.b":"[{\"t\":\"A\",\"l\":\"x\"}]"}"#
        )
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.actions == [NotificationAction(identifier: "1", title: "A")])
        #expect(payload.details == ["link": "app://1"])
    }

    @Test(arguments: [
        #"{"c":{"i":{},"a":7,"l":[],"b":"x"}}"#, #"{"c.i":[],"c.m":7,"c.b":"{","title":7,"message":{}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws { #expect(try read(text) == PushPayload()) }
}
