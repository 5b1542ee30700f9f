import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct InsiderDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        InsiderDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"aps":{},"source":"Insider"}"#, "source=Insider"),
            (#"{"message":{"data":{"source":"Insider"}}}"#, "message.data.source=Insider"),
            (#"{"api_key":"k","notifications":[{"identifiers":{}}]}"#, "api_key+notifications[]"),
            (#"{"api_key":"k","segment_name":"s","content":"B"}"#, "api_key+segment_name"),
            (#"{"api_key":"k"}"#, nil),
            (#"{"notifications":[{"identifiers":{}}]}"#, nil),
            (#"{"source":"insider"}"#, nil),
        ] as [(String, String?)])
    func `a push is recognised by its source, and a request by its key`(text: String, rule: String?) throws {
        #expect(InsiderDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the media of a push are read from the same keys as in a plain APNs payload`() throws {
        let payload = try read(#"{"aps":{"alert":"B"},"source":"Insider","data":{"image":"https://a/1"}}"#)
        #expect(payload.media.map(\.path?.description) == ["/data/image"])
        #expect(payload.successText == NotificationText(body: "B"))
    }

    @Test func `only the first notification of a request is read`() throws {
        let payload = try read(
            #"{"api_key":"k","notifications":[{"camp_id":1,"message":"A","image_url":"u"},{"camp_id":2,"message":"B"}]}"#
        )
        #expect(payload.successText == NotificationText(body: "A"))
        #expect(payload.providerID == "1")
        #expect(payload.media.map(\.platform) == [.any])
    }
}
