import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct NetmeraDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        NetmeraDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"message":{"platforms":[]},"target":{}}"#, "message.platforms"),
            (#"{"platforms":[],"text":"B","target":{}}"#, "platforms+text"), (#"{"platforms":[],"text":"B"}"#, nil),
            (#"{"message":{"platforms":[]}}"#, nil),
            (#"{"platforms":"IOS","text":"B","target":{}}"#, nil),
            (#"{"aps":{},"platforms":[],"text":"B","target":{}}"#, nil),
            (#"{"notificationKey":1,"target":{}}"#, nil),
        ] as [(String, String?)])
    func `a request is recognised by the key of its platforms`(text: String, rule: String?) throws {
        #expect(NetmeraDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the name of the campaign is the title of platforms without a title`() throws {
        let payload = try read(#"{"message":{"title":"C","text":"B","android":{"title":"A"}},"target":{}}"#)
        #expect(payload.platformTexts == [.android: NotificationText(title: "A")])
        #expect(payload.successText == NotificationText(title: "A", body: "B"))
        #expect(try read(#"{"message":{"title":"C","text":"B"},"target":{}}"#).successText.title == "C")
    }

    @Test func `the badge and the thread are read`() throws {
        let payload = try read(#"{"message":{"threadId":"t","params":{"_nm_badge_count":"3"}},"target":{}}"#)
        #expect(payload.aps.badge == 3)
        #expect(payload.aps.threadIdentifier == "t")
    }
}
