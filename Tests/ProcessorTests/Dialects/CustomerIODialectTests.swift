import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct CustomerIODialectTests {
    private func read(_ text: String) throws -> PushPayload {
        CustomerIODialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"CIO-Delivery-ID":"d"}"#, "CIO-Delivery-ID"), (#"{"CIO-Delivery-ID":7,"CIO":7}"#, "CIO-Delivery-ID"),
            (#"{"CIO":{"push":{"image":"u"}}}"#, "CIO.push"), (#"{"CIO-Delivery-Token":"t"}"#, nil),
            (#"{"CIO":{"push":"u"}}"#, nil),
            (#"{"message":{"data":{"CIO-Delivery-ID":"d"}}}"#, "message.data.CIO-Delivery-ID"),
            (#"{"message":{"apns":{"payload":{"CIO":{"push":{}}}}}}"#, "message.apns.payload.CIO.push"),
            (#"{"cio-delivery-id":"d"}"#, nil), (#"{"aps":{"CIO-Delivery-ID":"d"}}"#, nil),
        ] as [(String, String?)])
    func `a Customer.io payload is recognised by its delivery ID or its push`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(CustomerIODialect().detect(object) == rule)
    }

    @Test func `the dialect reads the image, the link, the delivery ID and the delivery token`() throws {
        let payload = try read(
            """
            {"aps":{"alert":{"title":"T","body":"B"}},"CIO-Delivery-ID":"d","CIO-Delivery-Token":"t",
             "CIO":{"push":{"link":"app://1","image":"u.jpg"}}}
            """)
        let path = JSONPath([.key("CIO"), .key("push"), .key("image")])
        #expect(payload.media == [MediaReference(url: "u.jpg", path: path)])
        #expect(payload.providerID == "d")
        #expect(payload.details == ["link": "app://1", "deliveryToken": "t"])
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.actions == [])
    }

    @Test(
        arguments: [
            (#""CIO":7"#, []), (#""CIO":"{\"push\":{\"image\":\"u\"}}""#, []), (#""CIO":{"push":7}"#, []),
            (#""CIO":{"push":[{"image":"u"}]}"#, []), (#""CIO":{"push":{"image":7}}"#, []),
            (#""CIO":{"push":{"image":["u"]}}"#, []), (#""CIO":{"push":{"image":null,"link":7}}"#, []),
            (#""CIO":{"push":{"image":""}}"#, []), (#""CIO":{"push":{"image":"u","image":"v"}}"#, ["v"]),
            (#""CIO":{"image":"u"},"image":"v""#, []), (#""CIO":{"push":{"image":"u","link":{}}}"#, ["u"]),
        ] as [(String, [String])])
    func `a value of a wrong type counts as missing`(keys: String, urls: [String]) throws {
        let payload = try read(#"{"CIO-Delivery-ID":{},"CIO-Delivery-Token":7,\#(keys)}"#)
        #expect(payload.media.map(\.url) == urls)
        #expect(payload.providerID == nil)
        #expect(payload.details.isEmpty)
    }

    @Test func `the text and the image of a push for Android are read next to the two identifiers`() throws {
        let keys = #""CIO-Delivery-ID":"d","CIO-Delivery-Token":"t","title":"T","body":"B","image":"u","link":"l""#
        let bare = try read("{\(keys)}")
        #expect(bare.successText == NotificationText(title: "T", body: "B"))
        #expect(bare.media == [MediaReference(url: "u", path: JSONPath([.key("image")]))])
        #expect(bare.details == ["link": "l", "deliveryToken": "t"])
        let sent = try read(#"{"message":{"data":{\#(keys)}}}"#)
        #expect(sent.successText == bare.successText)
        #expect(sent.media.map(\.path?.description) == ["/message/data/image"])
        #expect(sent.media.map(\.platform) == [.android])
    }
}
