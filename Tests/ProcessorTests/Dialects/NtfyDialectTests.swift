import Base
import Foundation
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct NtfyDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        NtfyDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    /// The same message as the server sends it, and as it is on APNs.
    private static let shapes = [
        """
        {"id":"m1","event":"message","topic":"garage","title":"T","message":"B","priority":5,"tags":["warning","car"],
         "click":"app://x","icon":"https://a.example/i","attachment":{"name":"n.jpg","type":"image/jpeg","size":48211,
         "expires":4102455600,"url":"https://a.example/f"},"actions":[{"id":"a1","action":"http","label":"Mute"}]}
        """,
        """
        {"aps":{"alert":{"title":"T","body":"B..."},"mutable-content":1},"id":"m1","event":"message","topic":"garage",
         "title":"T","message":"B","priority":"5","tags":"warning,car","click":"app://x","icon":"https://a.example/i",
         "attachment_name":"n.jpg","attachment_type":"image/jpeg","attachment_size":"48211",
         "attachment_expires":"4102455600","attachment_url":"https://a.example/f",
         "actions":"[{\\"id\\":\\"a1\\",\\"action\\":\\"http\\",\\"label\\":\\"Mute\\"}]"}
        """,
    ]

    @Test(
        arguments: [
            (#"{"event":"message","topic":"t"}"#, "event+topic"),
            (#"{"event":"message","topic":"t","attachment_url":"u","attachment_name":"n"}"#, "event+topic"),
            (#"{"event":"message","topic":"t","attachment":"u"}"#, "event+topic"),
            (#"{"aps":{},"attachment_url":"u","attachment_name":"n"}"#, "attachment_url+attachment_*"),
            (#"{"attachment_size":"7","attachment_url":"u"}"#, "attachment_url+attachment_*"),
            (#"{"attachment_type":"image/png","attachment_url":"u"}"#, "attachment_url+attachment_*"),
            (#"{"attachment_expires":"7","attachment_url":"u"}"#, "attachment_url+attachment_*"),
            (#"{"attachment_url":"u","attachment_size":7}"#, nil),
            (#"{"attachment_url":7,"attachment_name":"n"}"#, nil),
            (#"{"aps":{},"attachment_url":"u"}"#, nil), (#"{"event":"message"}"#, nil), (#"{"topic":"t"}"#, nil),
            (#"{"event":7,"topic":"t"}"#, nil), (#"{"event":"message","topic":{}}"#, nil),
            (#"{"aps":{"event":"update","topic":"t"}}"#, nil), (#"{"attachment":{"url":"u"}}"#, nil), ("{}", nil),
        ] as [(String, String?)])
    func `an ntfy payload is recognised by event and topic or an attachment`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(NtfyDialect().detect(object) == rule)
    }

    @Test(arguments: shapes)
    func `a message from the server and its APNs form have the same reading`(shape: String) throws {
        let payload = try read(shape)
        #expect(payload.providerID == "m1")
        #expect(payload.media.map(\.url) == ["https://a.example/f", "https://a.example/i"])
        #expect(payload.media.map(\.role) == [.attachment, .icon])
        #expect(payload.media.map(\.declaredType) == [.mimeType("image/jpeg"), nil])
        #expect(payload.media.map(\.goneAt) == [Date(timeIntervalSince1970: 4_102_455_600), nil])
        #expect(payload.media.map(\.identifier) == [nil, nil])
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == NotificationText(title: "T", body: "B\n\nAttachment: n.jpg, 48211 B"))
        #expect(payload.actions == [NotificationAction(identifier: "a1", title: "Mute")])
        #expect(payload.details == ["link": "app://x", "topic": "garage", "tags": ["warning", "car"]])
        #expect(payload.aps.interruptionLevel == .critical)
        #expect(payload.aps.relevanceScore == 1)
    }

    @Test func `an attachment dictionary without a URL does not hide attachment_url`() throws {
        let media = try read(#"{"attachment":{},"attachment_url":"u","attachment_type":"image/png"}"#).media
        #expect(media.map(\.url) == ["u"])
        #expect(media.map(\.declaredType) == [.mimeType("image/png")])
    }

    @Test func `each media item has its JSON path`() throws {
        let paths = try Self.shapes.map { try read($0).media.map(\.path?.description) }
        #expect(paths == [["/attachment/url", "/icon"], ["/attachment_url", "/icon"]])
    }

    @Test(
        arguments: [
            (#""message":"B","attachment":{"url":"u","name":"n","size":0}"#, "B\n\nAttachment: n"),
            (#""message":"B","attachment":{"url":"u","name":"n"}"#, "B\n\nAttachment: n"),
            (#""message":"B","attachment":{"url":"u","name":"n","size":-5}"#, "B\n\nAttachment: n"),
            (#""message":"B","attachment":{"url":"u","name":"n","size":"x"}"#, "B\n\nAttachment: n"),
            (#""message":"","attachment":{"url":"u","name":"n","size":7}"#, "Attachment: n, 7 B"),
            (#""attachment":{"url":"u","name":"n","size":7}"#, "Attachment: n, 7 B"),
            (#""message":"B","attachment":{"url":"u","size":7}"#, nil),
            (#""message":"B","attachment":{"url":"u","name":7}"#, nil),
            (#""message":"B","attachment":{"name":"n","size":7}"#, nil), (#""message":"B","icon":"i""#, nil),
        ] as [(String, String?)])
    func `the fallback text has the name and the size of the attachment`(keys: String, body: String?) throws {
        #expect(try read("{\(keys)}").fallbackText?.body == body)
    }

    @Test func `a missing line of the message is read from the alert`() throws {
        let payload = try read(
            #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b"}},"title":"","message":"B","attachment_url":"u"}"#)
        #expect(payload.successText == NotificationText(title: "t", subtitle: "s", body: "B"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        (#""priority":1"#, InterruptionLevel.passive, 0.0), (#""priority":"2""#, .passive, 0.25),
        (#""priority":3"#, .active, 0.5), (#""priority":"4""#, .timeSensitive, 0.75), (#""priority":5"#, .critical, 1),
        (#""x":1"#, .active, 0.5), (#""priority":null"#, .active, 0.5), (#""priority":"max""#, .active, 0.5),
        (#""priority":6"#, .active, 0.5), (#""priority":"0""#, .active, 0.5),
    ])
    func `the priority sets the interruption level and the relevance score`(
        key: String, level: InterruptionLevel, relevance: Double
    ) throws {
        let aps = try read("{\(key)}").aps
        #expect(aps.interruptionLevel == level)
        #expect(aps.relevanceScore == relevance)
    }

    @Test(
        arguments: [
            ("4102455600", 4_102_455_600), (#""4102455600""#, 4_102_455_600), ("0", nil), (#""0""#, nil), ("-1", nil),
            ("1e300", nil), ("1e400", nil), ("253402300799", 253_402_300_799), ("253402300800", nil), ("null", nil),
            ("{}", nil), (#""never""#, nil),
        ] as [(String, Double?)])
    func `the media item has the time of its deletion at the origin`(expires: String, seconds: Double?) throws {
        let media = try read(#"{"attachment":{"url":"u","expires":\#(expires)}}"#).media
        #expect(media.map(\.goneAt) == [seconds.map { Date(timeIntervalSince1970: $0) }])
    }

    @Test(arguments: [
        ("open", true), ("keepalive", true), ("message_delete", true), ("message_clear", true), ("message", false),
        ("poll_request", false),
    ])
    func `an event that only wakes the app is silent`(event: String, isSilent: Bool) throws {
        #expect(try read(#"{"event":"\#(event)","topic":"t"}"#).isSilent == isSilent)
    }

    @Test(
        arguments: [
            (#""tags":"a,,b""#, ["tags": ["a", "b"]]), (#""tags":["a",7,"","b,c"]"#, ["tags": ["a", "b,c"]]),
            (#""tags":"""#, [:]), (#""tags":[]"#, [:]), (#""x":1"#, [:]), (#""topic":"t""#, ["topic": "t"]),
            (#""click":"c""#, ["link": "c"]),
        ] as [(String, JSONObject)])
    func `the details contain the link, the topic and the tags`(key: String, details: JSONObject) throws {
        #expect(try read("{\(key)}").details == details)
    }

    @Test func `actions keep their order, and are read only if they have an ID and a label`() throws {
        let actions = try read(
            #"{"actions":[{"id":"b","label":"B"},{"id":"x"},{"label":"y"},7,{"id":"","label":"z"},{"id":"a","label":"A"}]}"#
        ).actions
        #expect(
            actions == [
                NotificationAction(identifier: "b", title: "B"), NotificationAction(identifier: "a", title: "A"),
            ])
    }

    @Test(arguments: [
        #"{"attachment":7,"icon":7,"actions":7,"tags":7,"click":7,"id":{},"title":7,"message":7}"#,
        #"{"attachment":null,"icon":null,"actions":null,"tags":null,"click":null,"id":null,"event":7,"topic":{}}"#,
        #"{"attachment":"u","icon":"","actions":"[{\"id\":\"a\",\"label\":","tags":"","click":""}"#,
        #"{"attachment":["u"],"icon":["i"],"actions":"7","tags":",","click":[]}"#,
        #"{"attachment":{"url":7,"name":"n"},"icon":{"url":"i"},"actions":{"0":{"id":"a","label":"A"}},"tags":[7,""]}"#,
        #"{"attachment_url":7,"attachment_name":"n","attachment_expires":"1"}"#,
        #"{"attachment":{"url":"u"},"attachment":{},"icon":"i","icon":7}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == (try read("{}")))
        #expect(try read(text).media == [])
    }

    @Test(
        arguments: [
            (#"{"topic":"t","attach":"u"}"#, "topic+attach"), (#"{"topic":"t","tags":["a"]}"#, "topic+tags"),
            (#"{"topic":"t","title":"T","message":"B"}"#, nil), (#"{"attach":"u"}"#, nil),
            (#"{"aps":{},"topic":"t","click":"c"}"#, nil),
        ] as [(String, String?)])
    func `a message to publish is recognised by a topic and another key`(text: String, rule: String?) throws {
        #expect(NtfyDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `the fallback text of a message to publish has the name of its file`() throws {
        let payload = try read(#"{"topic":"t","message":"B","attach":"u","filename":"n.png"}"#)
        #expect(payload.media.map(\.path?.description) == ["/attach"])
        #expect(payload.fallbackText == NotificationText(body: "B\n\nAttachment: n.png"))
    }
}
