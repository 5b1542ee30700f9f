import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

/// Tests of Comapi events, most of which contain no new message. The event names are those in the seed document.
@Suite struct ComapiEventTests {
    private func read(_ text: String) throws -> PushPayload {
        DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
    }

    @Test(arguments: ComapiEvent.names)
    func `an event without parts is recognised, is silent and has no media`(name: String) throws {
        let payload = try read(
            #"{"eventId":"e","apiSpaceId":"s","name":"\#(name)","context":{"createdBy":"c"},"payload":{"profileId":"p"}}"#
        )
        #expect(payload.dialect == "comapi")
        #expect(payload.detectedBy == "name=\(name)")
        #expect(payload.isSilent)
        #expect(payload.successText.isEmpty)
        #expect(payload.media == [])
        #expect(payload.details["event"]?.string == name)
        #expect(payload.details["eventId"] == "e")
        #expect(payload.details["profileId"] == "p")
        #expect(payload.details["createdBy"] == "c")
    }

    @Test func `a misspelt event name is read as the most similar event name, and reported as a problem`() throws {
        let payload = try read(
            #"{"eventId":"e","name":"conversationMessage.readd","payload":{"parts":[{"type":"text/plain","data":"x"}]}}"#
        )
        #expect(payload.isSilent && payload.successText.isEmpty)
        #expect(payload.details["event"] == "conversationMessage.read")
        #expect(
            payload.problems.summary
                == #"/name: "conversationMessage.readd" is not an event; it is read as conversationMessage.read"#)
    }

    @Test(
        arguments: [
            (
                #"{"eventId":"e","name":"conversationMessage.read","messageId":"m","payload":{"messageId":"m","conversationId":"c","profileId":"p","timestamp":"t"}}"#,
                [
                    "event": "conversationMessage.read", "eventId": "e", "conversationId": "c", "messageId": "m",
                    "profileId": "p", "timestamp": "t",
                ]
            ),
            (
                #"{"eventId":"e","name":"conversationMessage.delivered","payload":{"id":"m","conversationId":"c","profileId":"p"}}"#,
                [
                    "event": "conversationMessage.delivered", "eventId": "e", "conversationId": "c", "messageId": "m",
                    "profileId": "p",
                ]
            ),
            (
                #"{"eventId":"e","name":"conversation.participantAdded","conversationId":"c","payload":{"profileId":"p","role":"owner"}}"#,
                [
                    "event": "conversation.participantAdded", "eventId": "e", "conversationId": "c", "profileId": "p",
                    "role": "owner",
                ]
            ),
            (
                #"{"eventId":"e","name":"conversation.delete","payload":{"id":"c","date":"d"}}"#,
                ["event": "conversation.delete", "eventId": "e", "conversationId": "c"]
            ),
            (
                #"{"eventId":"e","name":"conversation.participantTyping","account":7,"payload":{"profileId":"p","conversationId":"c"}}"#,
                ["event": "conversation.participantTyping", "eventId": "e", "conversationId": "c", "profileId": "p"]
            ),
            (
                #"{"eventId":"e","name":"profile.update","profileId":"p","payload":{}}"#,
                ["event": "profile.update", "eventId": "e", "profileId": "p"]
            ),
            (
                #"{"id":"e","apiSpace":"s","name":"conversationMessage.sent","payload":{"messageId":"m","conversationId":"c"}}"#,
                ["event": "conversationMessage.sent", "eventId": "e", "conversationId": "c", "messageId": "m"]
            ),
        ] as [(String, JSONObject)])
    func `an event's identifiers are in the details`(text: String, details: JSONObject) throws {
        #expect(try read(text).details == details)
    }

    @Test(arguments: ["read", "delivered"])
    func `an event about a read or delivered message does not show the message again`(event: String) throws {
        let payload = try read(
            #"""
            {"eventId":"e","name":"conversationMessage.\#(event)","payload":{"messageId":"m","metadata":{},
             "parts":[{"type":"text/plain","data":"Hi"},{"type":"image/png","url":"https://a.example/1"}],
             "alert":{"platforms":{"apns":{"alert":"Hi","badge":1}}}}}
            """#)
        #expect(payload.isSilent)
        #expect(payload.successText.isEmpty)
        #expect(payload.media == [])
        #expect(payload.aps.badge == nil)
        #expect(payload.details["messageId"] == "m")
    }

    @Test func `an event with a separate type and subtype is read like an event with a name`() throws {
        let payload = try read(
            #"{"eventId":"e","type":"conversationMessage","subtype":"read","payload":{"messageId":"m","parts":[{}]}}"#)
        #expect(payload.detectedBy == "name=conversationMessage.read")
        #expect(payload.isSilent)
        #expect(payload.details["messageId"] == "m")
    }

    @Test func `a sent message with parts is shown as a new message`() throws {
        let payload = try read(
            #"{"eventId":"e","name":"conversationMessage.sent","payload":{"messageId":"m","parts":[{"type":"text/plain","data":"Hi"}]}}"#
        )
        #expect(payload.detectedBy == "payload.parts[]")
        #expect(payload.successText.body == "Hi")
        #expect(!payload.isSilent)
    }

    @Test func `a sent message without parts shows its alert`() throws {
        let payload = try read(
            #"{"eventId":"e","name":"conversationMessage.sent","payload":{"messageId":"m","alert":{"platforms":{"apns":{"alert":"Hi"}}}}}"#
        )
        #expect(payload.successText.body == "Hi")
        #expect(!payload.isSilent)
        #expect(payload.providerID == "m")
    }

    @Test func `a push with an event and an alert shows the alert`() throws {
        let payload = try read(
            #"{"aps":{"alert":"Ana joined"},"eventId":"e","name":"conversation.participantAdded","payload":{"profileId":"ana"}}"#
        )
        #expect(payload.dialect == "comapi")
        #expect(payload.successText.body == "Ana joined")
        #expect(!payload.isSilent)
    }

    @Test func `the outcome of an event is passthrough, and no media are fetched`() async throws {
        let bench = PipelineBench()
        let notification = try #require(
            try await bench.process(
                bench.request(#"{"eventId":"e","name":"profile.update","profileId":"p","payload":{}}"#)
            ).first)
        #expect(notification.outcome == .passthrough)
        #expect(notification.text.isEmpty)
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test(arguments: [
        #"{"name":"profile.update"}"#, #"{"name":"profile.updated","payload":{}}"#, #"{"name":7,"payload":{}}"#,
        #"{"name":"conversation","eventId":"e"}"#,
    ])
    func `a payload with an unknown event name, or with only an event name, is not recognised`(text: String) throws {
        #expect(try read(text).dialect == nil)
    }
}
