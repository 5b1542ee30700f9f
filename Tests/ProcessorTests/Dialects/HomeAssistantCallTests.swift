import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct HomeAssistantCallTests {
    private func read(_ text: String) throws -> PushPayload {
        HomeAssistantDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"message":"B","data":{"image":"u"}}"#, "message+data.image"),
            (#"{"message":"B","registration_info":{}}"#, "registration_info"),
            (#"{"message":"B","webhook_id":"w"}"#, "message+webhook_id"),
            (#"{"message":{"data":{"message":"B","icon_url":"i"}}}"#, "message.data.message+icon_url"),
            (#"{"message":{"apns":{"payload":{"attachment":{}}}}}"#, "message.apns.payload.attachment{}"),
            (#"{"message":"B","data":{"x":1}}"#, nil), (#"{"message":"B"}"#, nil),
            (#"{"message":"B","data":{"image":"u"},"to":"t"}"#, nil), (#"{"registration_info":{}}"#, nil),
            (#"{"aps":{},"message":"B","data":{"image":"u"}}"#, nil),
        ] as [(String, String?)])
    func `calls, relay requests and Android's data are recognised by their keys`(text: String, rule: String?) throws {
        #expect(HomeAssistantDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test(
        arguments: [
            (#""image":"i""#, ["i"], [.any]), (#""video":"v","image":"i""#, ["v", "i"], [.any, .android]),
            (#""image":"i","audio":"a""#, ["i"], [.any]), (#""audio":"a""#, ["a"], [.apns]),
            (#""attachment":{"url":"u"},"image":"i","audio":"a""#, ["u", "i"], [.apns, .android]),
        ] as [(String, [String], [PushPlatform])])
    func `only the file that is first in the vendor's order of precedence is shown on Apple's platforms`(
        data: String, urls: [String], platforms: [PushPlatform]
    ) throws {
        let media = try read(#"{"message":"B","data":{\#(data)}}"#).media
        #expect(media.map(\.url) == urls)
        #expect(media.map(\.platform) == platforms)
    }

    @Test(arguments: [("clear_badge", true), ("command_volume_level", true), ("Clear", false)])
    func `a command is silent`(message: String, isSilent: Bool) throws {
        #expect(try read(#"{"message":"\#(message)","data":{"tag":"t"}}"#).isSilent == isSilent)
        #expect(try read(#"{"message":"\#(message)","webhook_id":"w"}"#).isSilent == isSilent)
    }

    @Test func `the buttons of Android are read from numbered keys`() throws {
        let payload = try read(
            #"{"message":"B","webhook_id":"w","action_1_key":"A","action_1_title":"a","action_3_key":"C"}"#)
        #expect(payload.actions == [NotificationAction(identifier: "A", title: "a")])
    }
}
