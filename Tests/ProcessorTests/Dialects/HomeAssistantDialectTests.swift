import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct HomeAssistantDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        HomeAssistantDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"attachment":{"url":"u"}}"#, true), (#"{"attachment":{}}"#, true),
        (#"{"attachment":{"url":"u"},"event":"message"}"#, false), (#"{"attachment":{"url":"u"},"event":7}"#, false),
        (#"{"attachment":"u"}"#, false), (#"{"attachment":["u"]}"#, false), (#"{"attachment":null}"#, false),
        ("{}", false),
    ])
    func `a payload with the dictionary attachment is recognised, unless the payload has an event`(
        text: String, isIts: Bool
    ) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(HomeAssistantDialect().detect(object) == (isIts ? "attachment{}" : nil))
    }

    @Test(arguments: ["/media/local/door.jpg", "/api/camera_proxy/camera.door", "https://a.example/1", "door.jpg"])
    func `the URL of the attachment is read unchanged`(url: String) throws {
        let item = MediaReference(url: url, path: JSONPath([.key("attachment"), .key("url")]))
        #expect(try read(#"{"attachment":{"url":"\#(url)"}}"#).media == [item])
    }

    @Test(
        arguments: [
            (#""jpeg""#, .fileExtension("jpeg")), (#""PNG""#, .fileExtension("png")),
            (#""mpeg4""#, .fileExtension("mp4")), (#""mpeg4audio""#, .fileExtension("m4a")),
            (#""mpeg2""#, .fileExtension("mpg")), (#""waveformaudio""#, .fileExtension("wav")),
            (#""image/jpeg""#, .mimeType("image/jpeg")), (#""public.jpeg""#, .mediaClass("public.jpeg")),
            (#""""#, nil), ("7", nil), ("null", nil), ("[]", nil),
        ] as [(String, DeclaredMediaType?)])
    func `the type is read from a vendor's name, a MIME type or a uniform type identifier`(
        type: String, expected: DeclaredMediaType?
    ) throws {
        #expect(
            try read(#"{"attachment":{"url":"u","content-type":\#(type)}}"#).media.map(\.declaredType) == [expected])
    }

    @Test(arguments: [
        ("true", true), ("1", true), ("false", false), (#""true""#, false), ("null", false), ("{}", false),
    ])
    func `an attachment may be deferred, and its thumbnail may be hidden`(flag: String, isSet: Bool) throws {
        let lazy = try read(#"{"attachment":{"url":"u","lazy":\#(flag)}}"#).media
        #expect(lazy.map(\.isDeferred) == [isSet])
        #expect(lazy.map(\.options) == [AttachmentOptions()])
        let hidden = try read(#"{"attachment":{"url":"u","hide-thumbnail":\#(flag)}}"#).media
        #expect(hidden.map(\.options.thumbnailHidden) == [isSet])
        #expect(hidden.map(\.isDeferred) == [false])
    }

    @Test func `actions keep their order, and are read only if they have an identifier and a title`() throws {
        let actions = try read(
            """
            {"actions":[{"action":"B","title":"b"},{"identifier":"A","action":"x","title":"a"},{"action":"x"},
             {"title":"y"},{"action":"","title":"z"},7,null]}
            """
        ).actions
        #expect(
            actions == [
                NotificationAction(identifier: "B", title: "b"), NotificationAction(identifier: "A", title: "a"),
            ])
    }

    @Test(
        arguments: [("\"/lovelace/door\"", "/lovelace/door"), ("7", nil), ("{}", nil), ("\"\"", nil)]
            as [(String, String?)])
    func `the link is read unchanged`(url: String, link: String?) throws {
        #expect(try read(#"{"url":\#(url)}"#).details["link"] == link.map { .string($0) })
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"attachment":{"url":"u"}}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"attachment":7}"#, #"{"attachment":"u"}"#, #"{"attachment":["u"]}"#, #"{"attachment":null,"actions":"a"}"#,
        #"{"attachment":{"url":7,"lazy":true},"actions":{"0":{"action":"a","title":"A"}}}"#,
        #"{"attachment":{"url":""},"actions":[[],{"action":{},"title":7}]}"#, #"{"attachment":"{\"url\":\"u\""}"#,
        #"{"attachment":{"url":"u"},"attachment":{}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
