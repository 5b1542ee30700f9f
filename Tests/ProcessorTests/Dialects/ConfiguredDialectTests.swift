import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct ConfiguredDialectTests {
    private static func dialect(
        name: DialectID, discriminator: PayloadDiscriminator, media: [KeyPathText] = [], type: KeyPathText? = nil,
        title: KeyPathText? = nil, subtitle: KeyPathText? = nil, body: KeyPathText? = nil,
        fallbackTitle: KeyPathText? = nil, fallbackSubtitle: KeyPathText? = nil, fallbackBody: KeyPathText? = nil,
        identifier: KeyPathText? = nil, link: KeyPathText? = nil, options: DialectDefinition.OptionPaths = .init()
    ) -> ConfiguredDialect {
        var definition = DialectDefinition(name: name, recognisedBy: discriminator, media: media)
        definition.type = type
        definition.text = .init(title: title, subtitle: subtitle, body: body)
        definition.fallback = .init(title: fallbackTitle, subtitle: fallbackSubtitle, body: fallbackBody)
        definition.identifier = identifier
        definition.link = link
        definition.options = options
        return ConfiguredDialect(definition: definition)
    }

    private static func acme() throws -> ConfiguredDialect {
        try Self.dialect(
            name: "acme", discriminator: PayloadDiscriminator(#"com\.acme"#),
            media: [KeyPathText(#"com\.acme.items[].picture.url"#), KeyPathText("extra[]")],
            type: KeyPathText(#"com\.acme.items[].kind"#), title: KeyPathText(#"com\.acme.title"#),
            subtitle: KeyPathText(#"com\.acme.subtitle"#), body: KeyPathText(#"com\.acme.texts[].body"#),
            fallbackTitle: KeyPathText("plain.title"), fallbackSubtitle: KeyPathText("plain.subtitle"),
            fallbackBody: KeyPathText("plain.body"), identifier: KeyPathText(#"com\.acme.id"#),
            link: KeyPathText(#"com\.acme.link"#),
            options: .init(
                thumbnailHidden: KeyPathText(#"com\.acme.items[].hidden"#),
                thumbnailTime: KeyPathText(#"com\.acme.items[].time"#)))
    }

    private func read(_ text: String) throws -> PushPayload {
        try Self.acme().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test func `a configured dialect takes precedence over later dialects, and reports its own rule`() throws {
        let payload: JSONObject = ["aps": ["alert": "x"], "com.acme": ["id": 7], "image": "u"]
        let table = DialectTable(dialects: [try Self.acme(), APNsDialect()])
        #expect(table.identifiers == ["acme", "apns"])
        #expect(table.read(payload).dialect == "acme")
        #expect(table.read(payload).detectedBy == #"com\.acme"#)
        #expect(table.read(payload).providerID == "7")
        #expect(table.read(["aps": ["alert": "x"]]).dialect == "apns")
        #expect(DialectTable(dialects: [APNsDialect(), try Self.acme()]).read(payload).dialect == "apns")
    }

    @Test func `a configured dialect can be requested by its name`() throws {
        let table = DialectTable(dialects: [APNsDialect(), try Self.acme()])
        let payload = table.read(["aps": ["alert": "x"], "extra": ["u"]], requested: "acme")
        #expect(payload.detectedBy == "requested")
        #expect(payload.media.map(\.url) == ["u"])
    }

    @Test func `media are sorted by configured path, then by position in the payload, without duplicates`() throws {
        let dialect = try Self.dialect(
            name: "x", discriminator: PayloadDiscriminator("v == 2"),
            media: [KeyPathText("b[1]"), KeyPathText("b[]"), KeyPathText("a")])
        let media = dialect.read(JSONNode(["a": "0", "b": ["1", "2", 7, "", "1"]])).media
        #expect(media.map(\.url) == ["2", "1", "1", "0"])
        #expect(media.map(\.path?.description) == ["/b/1", "/b/0", "/b/4", "/a"])
        #expect(media.allSatisfy { $0.role == .attachment && $0.identifier == nil && $0.declaredType == nil })
    }

    @Test func `the type and the options of a media item are read from its array element`() throws {
        let media = try read(
            #"""
            {"com.acme":{"items":[{"picture":{"url":"1"},"kind":"video","hidden":true,"time":1.5},{"kind":"gif"},
             {"picture":{"url":"2"},"kind":".png","hidden":0,"time":"2"},{"picture":{"url":"3"},"kind":"image/webp","time":-1},
             {"picture":{"url":"4"},"kind":7}]}}
            """#
        ).media
        #expect(media.map(\.url) == ["1", "2", "3", "4"])
        #expect(
            media.map(\.declaredType) == [.mediaClass("video"), .fileExtension("png"), .mimeType("image/webp"), nil])
        #expect(media.map(\.options.thumbnailHidden) == [true, false, false, false])
        #expect(media.map(\.options.thumbnailTime) == [1.5, 2, nil, nil])
    }

    @Test func `a line without a value at its configured path is read from aps`() throws {
        let payload = try read(
            #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b"},"badge":2},"com.acme":{"title":"T","texts":[{"body":7},{"body":"B"}]}}"#
        )
        #expect(payload.successText == NotificationText(title: "T", subtitle: "s", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.aps.badge == 2)
    }

    @Test func `the dialect reads the fallback text, the ID and the link at the configured paths`() throws {
        let payload = try read(#"{"plain":{"title":"T","body":"B"},"com.acme":{"id":"m-1","link":"app://x"}}"#)
        #expect(payload.fallbackText == NotificationText(title: "T", body: "B"))
        #expect(payload.providerID == "m-1")
        #expect(payload.details == ["link": "app://x"])
    }

    @Test func `a configured dialect requires only a name and a detection rule`() throws {
        let dialect = try Self.dialect(name: "bare", discriminator: PayloadDiscriminator("source == acme"))
        #expect(dialect.detect(["source": "acme"]) == "source == acme")
        #expect(dialect.detect(["source": "other"]) == nil)
        #expect(dialect.read(JSONNode(["source": "acme", "aps": ["alert": "b"]])).successText.body == "b")
    }

    @Test(arguments: [
        "{}", #"{"com.acme":7,"extra":"u","plain":7}"#, #"{"com.acme":[],"extra":{"0":"u"},"plain":[]}"#,
        #"{"com.acme":{"items":{"picture":{"url":"u"}},"title":7,"subtitle":{},"texts":"x","id":[],"link":7}}"#,
        #"{"com.acme":{"items":[7,null,"u",{"picture":"u"},{"picture":{"url":7}},{"picture":{"url":""}}]},"extra":[7,[],{}]}"#,
        #"{"com.acme":{"id":"","link":"","title":null},"plain":{"title":7,"body":null}}"#,
        #"{"com.acme":{"link":"l","link":7}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }

    @Test func `a type in the elements of one array does not apply to media items outside that array`() throws {
        let dialect = try Self.dialect(
            name: "x", discriminator: PayloadDiscriminator("a"),
            media: [KeyPathText("a[].url"), KeyPathText("hero"), KeyPathText("b[]")], type: KeyPathText("a[].kind"),
            options: .init(thumbnailTime: KeyPathText("a[].at")))
        let media = dialect.read(
            JSONNode(["a": [["url": "0", "kind": "video/mp4", "at": 2]], "hero": "h", "b": ["b"]])
        ).media
        #expect(media.map(\.declaredType) == [.mimeType("video/mp4"), nil, nil])
        #expect(media.map(\.options.thumbnailTime) == [2, nil, nil])
    }
}
