import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct PusherBeamsDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        PusherBeamsDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"interests":[],"apns":{}}"#, "interests+apns"),
            (#"{"users":[],"web":{}}"#, "users+web"),
            (#"{"notification":{},"data":{"pusher":{}}}"#, "data.pusher+notification"),
            (#"{"interests":[]}"#, nil),
            (#"{"interests":"a","apns":{}}"#, nil),
            (#"{"data":{"pusher":{}}}"#, nil),
            (#"{"aps":{},"notification":{},"data":{"pusher":{}}}"#, nil),
        ] as [(String, String?)])
    func `a payload is recognised by the key of its recipients, or by the vendor's key in a web push`(
        text: String, rule: String?
    )
        throws
    {
        #expect(PusherBeamsDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the text, the icon and the link of a web push are read`() throws {
        let payload = try read(
            #"{"notification":{"title":"T","body":"B","icon":"i","deep_link":"l"},"data":{"pusher":{}}}"#)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(
            payload.media == [
                MediaReference(url: "i", path: JSONPath([.key("notification"), .key("icon")]), role: .icon)
            ])
        #expect(payload.details == ["link": "l"])
    }

    @Test func `the text of each platform is read from the platform's part of a request`() throws {
        let payload = try read(
            """
            {"interests":["a"],"apns":{"aps":{"alert":"I"},"image":"photo.jpg"},"fcm":{"notification":{"body":"A"}},
             "web":{"notification":{"body":"W"}}}
            """)
        #expect(payload.platformTexts.mapValues(\.body) == [.apns: "I", .android: "A", .webpush: "W"])
        #expect(payload.media == [])
    }
}
