import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct BloomreachDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        BloomreachDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"source":"xnpe_platform"}"#, "source=xnpe_platform"),
            (#"{"message":{"data":{"source":"xnpe_platform"}}}"#, "message.data.source=xnpe_platform"),
            (#"{"to":"x","data":{"source":"xnpe_platform"}}"#, "data.source=xnpe_platform"),
            (#"{"aps":{},"source":"Insider"}"#, nil), (#"{"aps":{},"source":7}"#, nil),
            (#"{"aps":{},"image":"u"}"#, nil),
        ] as [(String, String?)])
    func `a Bloomreach payload is recognised by its source`(text: String, rule: String?) throws {
        #expect(BloomreachDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the vendor's own values take precedence over the values in aps`() throws {
        let payload = try read(
            #"""
            {"aps":{"alert":{"title":"a","body":"b"},"badge":1,"sound":"x"},"source":"xnpe_platform","title":"T","message":"B",
             "badge":"3","sound":"bell","image":"u","url":"app://1","attributes":{"campaign_id":"7"},
             "actions":[{"title":"A"},{},{"title":"C"}]}
            """#)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.aps.badge == 3)
        #expect(payload.aps.sound == NotificationSound(name: "bell"))
        #expect(payload.actions.map(\.identifier) == ["0", "2"])
        #expect(payload.providerID == "7")
        #expect(payload.details == ["link": "app://1"])
    }

    @Test(arguments: [#"{"silent":1}"#, #"{"silent":true}"#, #"{"silent":"true"}"#, #"{"silent":"1"}"#])
    func `a Bloomreach push with the key silent is silent`(text: String) throws { #expect(try read(text).isSilent) }

    @Test func `lists and objects in Android's data are read from strings of JSON`() throws {
        let payload = try read(
            #"{"source":"xnpe_platform","actions":"[{\"title\":\"A\"}]","attributes":"{\"campaign_id\":\"7\"}"}"#)
        #expect(payload.actions == [NotificationAction(identifier: "0", title: "A")])
        #expect(payload.providerID == "7")
    }

    @Test(arguments: [
        #"{"title":7,"message":{},"image":7,"url":[],"actions":{},"attributes":[],"badge":"x","sound":{},"silent":0}"#,
        #"{"actions":"{","attributes":"x","silent":"no","badge":null}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws { #expect(try read(text) == PushPayload()) }
}
