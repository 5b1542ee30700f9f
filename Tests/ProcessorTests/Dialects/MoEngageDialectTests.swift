import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct MoEngageDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        MoEngageDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"moengage":{}}"#, "moengage"), (#"{"moengage":{"silentPush":1}}"#, "moengage"),
            (#"{"moengage":7}"#, nil),
            (#"{"moengage":"{}"}"#, nil), (#"{"moengage":null}"#, nil), (#"{"app_extra":{"moe_deeplink":"u"}}"#, nil),
            (#"{"aps":{"moengage":{}}}"#, nil),
        ] as [(String, String?)])
    func `a MoEngage payload is recognised by its dictionary`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(MoEngageDialect().detect(object) == rule)
    }

    @Test func `the dialect reads the media item, the campaign and the link of a tap`() throws {
        let payload = try read(
            """
            {"aps":{"alert":{"title":"T","body":"B"}},
             "moengage":{"cid":"c","media-attachment":"u","media-type":"video"},
             "app_extra":{"moe_deeplink":"app://1","screenName":"Cart","screenData":{"sku":"2"}}}
            """)
        let path = JSONPath([.key("moengage"), .key("media-attachment")])
        #expect(
            payload.media.map(\.withoutClaims) == [
                MediaReference(url: "u", path: path, declaredType: .mediaClass("video"))
            ])
        #expect(payload.providerID == "c")
        #expect(payload.details == ["link": "app://1", "screen": "Cart", "screenData": ["sku": "2"]])
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.actions == [])
    }

    @Test(
        arguments: [
            (#"{"media-attachment":"u"}"#, ["u"]), (#"{"media-attachment":"u","media-type":7}"#, ["u"]),
            (#"{"media-attachment":"u","media-type":""}"#, ["u"]), (#"{"media-type":"image"}"#, []),
            (#"{"media-attachment":7,"media-type":"image"}"#, []), (#"{"media-attachment":["u"]}"#, []),
            (#"{"media-attachment":{"url":"u"}}"#, []), (#"{"media-attachment":null}"#, []),
            (#"{"media-attachment":""}"#, []), (#"{"media-attachment":"u","media-attachment":"v"}"#, ["v"]),
            ("7", []), ("[]", []), (#""u""#, []), ("null", []), (#"{"cid":{}}"#, []),
        ] as [(String, [String])])
    func `a value of a wrong type counts as missing`(message: String, urls: [String]) throws {
        let extra = #""app_extra":{"moe_deeplink":7,"screenName":{},"screenData":"x"}"#
        let payload = try read(#"{"moengage":\#(message),\#(extra)}"#)
        #expect(payload.media.map(\.url) == urls)
        #expect(payload.media.allSatisfy { $0.declaredType == nil })
        #expect(payload.providerID == nil)
        #expect(payload.details.isEmpty)
        #expect(try read(#"{"moengage":\#(message),"app_extra":7}"#).media.map(\.url) == urls)
    }
}
