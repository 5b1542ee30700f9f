import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct FCMLegacyDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        FCMLegacyDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"to":"t","notification":{}}"#, "to+notification"),
            (#"{"to":"t","data":{}}"#, "to+data"),
            (#"{"registration_ids":[],"data":{}}"#, "registration_ids+data"),
            (#"{"condition":"'a' in topics","data":{}}"#, "condition+data"),
            (#"{"condition":"rain","data":{}}"#, nil),
            (#"{"to":"ExponentPushToken[x]","data":{}}"#, nil),
            (#"{"to":"t"}"#, nil),
            (#"{"to":"t","data":{},"aps":{}}"#, nil),
            (#"{"to":7,"data":{}}"#, nil),
        ] as [(String, String?)])
    func `a legacy message is recognised by the keys of its recipients and its content`(text: String, rule: String?)
        throws
    {
        #expect(FCMLegacyDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `Apple's fields are read from FCM's names in a notification`() throws {
        let payload = try read(
            """
            {"to":"t","mutable_content":true,"notification":{"title":"T","subtitle":"S","body":"B","badge":"2",
             "sound":"s","click_action":"C","image":"i"},"data":{"picture":"https://a/1","image":"ic"}}
            """)
        #expect(payload.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
        #expect(payload.aps.badge == 2)
        #expect(payload.aps.category == "C")
        #expect(payload.aps.mutableContent)
        #expect(payload.media.map(\.url) == ["i", "https://a/1"])
        #expect(payload.media.map(\.platform) == [.android, .apns])
    }

    @Test func `a message with content_available and without a text is silent`() throws {
        #expect(try read(#"{"to":"t","content_available":true,"data":{"a":"1"}}"#).isSilent)
        #expect(try !read(#"{"to":"t","content_available":true,"notification":{"body":"B"}}"#).isSilent)
    }
}
