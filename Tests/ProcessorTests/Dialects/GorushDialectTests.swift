import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct GorushDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        GorushDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"notifications":[{"tokens":[],"platform":1}]}"#, "notifications[].platform"),
            (#"{"notifications":[{"topic":"t","platform":2}]}"#, "notifications[].platform"),
            (#"{"notifications":[{"tokens":[]}]}"#, nil),
            (#"{"notifications":[{"platform":1}]}"#, nil),
            (#"{"notifications":[{"tokens":[],"platform":"ios"}]}"#, nil),
            (#"{"notifications":{}}"#, nil),
        ] as [(String, String?)])
    func `a request is recognised if a notification contains the platform and recipient keys`(
        text: String, rule: String?
    ) throws {
        #expect(GorushDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the first notification for each platform is read`() throws {
        let payload = try read(
            """
            {"notifications":[{"platform":2,"tokens":[],"message":"A","image":"u"},
             {"platform":1,"tokens":[],"message":"I","badge":3,"sound":"s","alert":{"title":"T"}},
             {"platform":2,"tokens":[],"message":"Z","image":"z"}]}
            """)
        #expect(payload.platformTexts[.apns] == NotificationText(title: "T", body: "I"))
        #expect(payload.platformTexts[.android] == NotificationText(body: "A"))
        #expect(payload.media.map(\.url) == ["u"])
        #expect(payload.aps.badge == 3)
        #expect(payload.aps.sound == NotificationSound(name: "s"))
    }
}
