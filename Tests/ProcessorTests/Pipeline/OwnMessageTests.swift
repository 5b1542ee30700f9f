import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of messages whose recipient is their sender. A chat service may deliver a message to its sender, too.
@Suite(.timeLimit(.minutes(1))) struct OwnMessageTests {
    private static let parts = #""parts":[{"type":"text/plain","data":"Hi"}]"#
    private static let alert = #""alert":{"platforms":{"apns":{"alert":"Hi","badge":2,"sound":"default"}}}"#

    private func content(_ payload: String, for recipient: String?) async throws -> JSONValue {
        let bench = PipelineBench()
        let request = try bench.request(payload) { $0.recipient = recipient }
        return try #require(try await bench.process(request).first).json
    }

    private static let messages = [
        #"{"messageId":"m","context":{"sentBy":"ana"},\#(parts),\#(alert)}"#,
        #"{"eventId":"e","name":"conversationMessage.sent","payload":{"messageId":"m","context":{"sentBy":"ana"},\#(parts),\#(alert)}}"#,
        #"{"eventId":"e","name":"conversationMessage.sent","payload":{"messageId":"m","profileId":"ana",\#(parts),\#(alert)}}"#,
        #"""
        {"notification":{"event_id":"$e","room_id":"!r:x","sender":"ana","type":"m.room.message","content":{"body":"Hi"},
         "counts":{"unread":2},"devices":[{"tweaks":{"sound":"default","highlight":true}}]}}
        """#,
        #"{"aps":{"alert":"Hi","sound":"default","badge":2},"room_id":"!r:x","event_id":"$e","sender":"ana"}"#,
    ]

    @Test(arguments: messages)
    func `a message is quiet for its sender`(payload: String) async throws {
        let content = try await content(payload, for: "ana")
        #expect(content["details"]["ownMessage"] == true)
        #expect(content["content"]["sound"] == .null && content["content"]["badge"] == .null)
        #expect(content["content"]["interruptionLevel"] == "passive")
        #expect(content["content"]["body"] == "Hi")
        #expect(content["content"]["userInfo"] == (try JSONParser.value(of: payload)))
    }

    @Test(arguments: messages, ["ben", "Ana", "ana ", nil] as [String?])
    func `a message is not quiet for other recipients`(payload: String, recipient: String?) async throws {
        let content = try await content(payload, for: recipient)
        #expect(content["details"]["ownMessage"] == nil)
        #expect(content["content"]["sound"]["name"] == "default" && content["content"]["badge"] == 2)
        #expect(content["content"]["interruptionLevel"] != "passive")
    }

    @Test(arguments: [
        (#""membership":"join","user_is_target":true"#, true), (#""membership":"join","user_is_target":false"#, false),
        (#""membership":"join""#, false), (#""membership":"invite","user_is_target":true"#, false),
        (#""membership":"leave","user_is_target":true"#, false), (#""user_is_target":true"#, false),
    ])
    func `a recipient that joined a room itself gets a quiet notification`(members: String, isOwn: Bool) async throws {
        let payload = #"""
            {"notification":{"event_id":"$e","room_id":"!r:x","sender":"@ana:x","type":"m.room.member",\#(members),
             "devices":[{"tweaks":{"sound":"default"}}]}}
            """#
        let content = try await content(payload, for: nil)
        #expect((content["details"]["ownMessage"] == true) == isOwn)
        #expect((content["content"]["sound"] == .null) == isOwn)
    }

    @Test func `the user of a route of Sendios is not the sender of the push`() async throws {
        let payload = #"{"aps":{"alert":"A","badge":1},"data":{"push_id":"p","route":"profile","from_user_id":"7"}}"#
        let content = try await content(payload, for: "7")
        #expect(content["details"]["ownMessage"] == nil && content["content"]["badge"] == 1)
    }

    @Test func `an event about a message is not a message of the profile that caused the event`() async throws {
        let payload =
            #"{"eventId":"e","name":"conversationMessage.read","payload":{"messageId":"m","profileId":"ana"}}"#
        #expect(try await content(payload, for: "ana")["details"]["ownMessage"] == nil)
    }
}
