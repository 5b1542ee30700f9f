import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct MindboxDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        MindboxDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"clickUrl":"c","uniqueKey":"k"}"#, true), (#"{"uniqueKey":"k","clickUrl":"","imageUrl":7}"#, true),
        (#"{"clickUrl":"c"}"#, false), (#"{"uniqueKey":"k"}"#, false), (#"{"clickUrl":7,"uniqueKey":"k"}"#, false),
        (#"{"clickUrl":"c","uniqueKey":null}"#, false), (#"{"imageUrl":"u"}"#, false),
        (#"{"clickUrl":"c","buttons":[{"uniqueKey":"k"}]}"#, false), ("{}", false),
    ])
    func `a payload is recognised as Mindbox if it has both clickUrl and uniqueKey`(text: String, isIts: Bool) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(MindboxDialect().detect(object) == (isIts ? "clickUrl+uniqueKey" : nil))
    }

    @Test func `the dialect reads the media item, the message ID, the link and the sender's data`() throws {
        let payload = try read(
            #"{"clickUrl":"c","imageUrl":"u","payload":"{\"o\":1}","uniqueKey":"m-1","buttons":[]}"#)
        #expect(payload.media == [MediaReference(url: "u", path: JSONPath([.key("imageUrl")]))])
        #expect(payload.providerID == "m-1")
        #expect(payload.details == ["link": "c", "userData": #"{"o":1}"#])
        #expect(payload.actions == [])
    }

    @Test func `buttons keep their order, and are read only if they have a key and a text`() throws {
        let actions = try read(
            """
            {"buttons":[{"text":"B","url":"u","uniqueKey":"b"},{"text":"x"},{"uniqueKey":"y"},7,
             {"text":"","uniqueKey":"z"},{"text":"A","uniqueKey":"a"}]}
            """
        ).actions
        #expect(
            actions == [
                NotificationAction(identifier: "b", title: "B", link: "u"),
                NotificationAction(identifier: "a", title: "A"),
            ])
    }

    @Test func `a push with content-available and an alert is not silent`() throws {
        let payload = try read(
            #"{"aps":{"alert":{"title":"t","body":"b"},"content-available":1},"clickUrl":"c","uniqueKey":"k"}"#)
        #expect(!payload.isSilent)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"clickUrl":7,"uniqueKey":{},"imageUrl":7,"payload":7,"buttons":"a"}"#,
        #"{"clickUrl":null,"uniqueKey":null,"imageUrl":null,"payload":{},"buttons":null}"#,
        #"{"clickUrl":["c"],"uniqueKey":[],"imageUrl":["u"],"buttons":{"0":{"text":"A","uniqueKey":"a"}}}"#,
        #"{"clickUrl":"","uniqueKey":"","imageUrl":"","payload":"","buttons":[null,[],{"text":7,"uniqueKey":{}}]}"#,
        #"{"imageUrl":"u","imageUrl":7,"buttons":[{"text":"A","uniqueKey":"a"}],"buttons":7}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
