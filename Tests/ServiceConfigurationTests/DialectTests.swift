import Base
import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of payload formats that the operator describes.
@Suite struct DialectTests {
    private func dialects(_ yaml: String) throws -> [DialectDefinition] {
        try ConfigurationFixture(yaml).load().dialects
    }

    private static let least = try? DialectDefinition(
        name: "acme", recognisedBy: PayloadDiscriminator("a"), media: [KeyPathText("b")])

    @Test func `an entry of a dialect accepts every key path`() throws {
        let dialect = try #require(
            try dialects(
                #"""
                dialects:
                  - name: acme
                    recognisedBy: source == "acme"
                    media: ['com\.acme.media[].url', "hero", com\.acme.more]
                    type: com\.acme.media[].mime
                    title: acme.title
                    subtitle: acme.subtitle
                    body: acme.body
                    fallback: {title: plain.title, subtitle: plain.subtitle, body: plain.body}
                    identifier: acme.id
                    link: 'acme.links[0]'
                    options:
                      thumbnailHidden: com\.acme.media[].hidden
                      thumbnailTime: com\.acme.media[].time
                """#
            ).first)
        var expected = try DialectDefinition(
            name: "acme", recognisedBy: PayloadDiscriminator(#"source == "acme""#),
            media: [
                KeyPathText(#"com\.acme.media[].url"#), KeyPathText("hero"), KeyPathText(keys: "com.acme", "more"),
            ])
        expected.type = try KeyPathText(#"com\.acme.media[].mime"#)
        expected.text = try .init(
            title: KeyPathText("acme.title"), subtitle: KeyPathText("acme.subtitle"), body: KeyPathText("acme.body"))
        expected.fallback = try .init(
            title: KeyPathText("plain.title"), subtitle: KeyPathText("plain.subtitle"),
            body: KeyPathText("plain.body"))
        expected.identifier = try KeyPathText("acme.id")
        expected.link = try KeyPathText("acme.links[0]")
        expected.options = try .init(
            thumbnailHidden: KeyPathText(#"com\.acme.media[].hidden"#),
            thumbnailTime: KeyPathText(#"com\.acme.media[].time"#))
        #expect(dialect == expected)
    }

    @Test(
        arguments: [
            "dialects: [{name: acme, recognisedBy: a, media: [b]}]",
            "dialects:\n- {media: [b], recognisedBy: a, name: acme, fallback: {}, options: {}}",
            "dialects:\n  -\n    name: acme\n    recognisedBy: a\n    media:\n    - b\n    - b\n",
            "dialects:\n  - name: acme\n    recognisedBy: \"a\"\n    media: [b]\n    fallback:\n    options: ~\n",
        ])
    func `an entry of a dialect with the three required keys is valid`(yaml: String) throws {
        #expect(try dialects(yaml) == [try #require(Self.least)])
    }

    @Test(arguments: ["dialects: []", "budget: 5s"])
    func `a configuration without dialects is valid`(yaml: String) throws {
        #expect(try dialects(yaml).isEmpty)
    }

    @Test func `dialects keep the order of the configuration file`() throws {
        let entries = ["z", "a-b", "0", String(repeating: "x", count: 32)]
        let yaml = "dialects:\n" + entries.map { "  - {name: \($0), recognisedBy: a, media: []}\n" }.joined()
        #expect(try dialects(yaml).map(\.name.description) == entries)
    }

    @Test func `an environment variable can set the dialects as YAML on one line`() throws {
        let fixture = try ConfigurationFixture("dialects: [{name: other, recognisedBy: a, media: [b]}]")
        let variable = "APPGROUPD_DIALECTS"
        let given = try fixture.load(environment: [variable: "[{name: acme, recognisedBy: a, media: [b]}]"])
        #expect(given.dialects == [try #require(Self.least)])
        #expect(try given.entry("dialects").source == .environment(variable))
        #expect(try fixture.load(environment: [variable: ""]).dialects.isEmpty)
        #expect(
            fixture.problems(environment: [variable: "[{name: acme, recognisedBy: a..b, media: [b]}]"]) == [
                "APPGROUPD_DIALECTS: dialects[0].recognisedBy: \"a..b\", character 3: a key is missing"
            ])
    }

    @Test func `the dialects have no command-line flag`() throws {
        #expect(try #require(ConfigurationKey.named("dialects")).flag == nil)
    }

    @Test func `the dialects in the listing can be copied into a configuration file`() throws {
        let yaml = #"""
            dialects:
              - name: acme
                recognisedBy: a\ b = "x, y"
                media: ['a\=b', "c\\\\d"]
                options: {thumbnailTime: e}
            """#
        let configuration = try ConfigurationFixture(yaml).load()
        let shown = try configuration.text("dialects")
        #expect(shown.hasPrefix(#"[{"name":"acme","recognisedBy":"a\\ b = \"x, y\"","media":["a\\=b","c\\\\d"],"#))
        #expect(try dialects("dialects: \(shown)") == configuration.dialects)
    }

    @Test func `a reload applies changed dialects`() throws {
        let before = try ConfigurationFixture("dialects: [{name: acme, recognisedBy: a, media: [b]}]").load()
        let after = try ConfigurationFixture("dialects: [{name: acme, recognisedBy: a, media: [c]}]").load()
        #expect(
            before.difference(to: after).words == [
                #"dialects is now [{"name":"acme","recognisedBy":"a","media":["c"]}], "#
                    + #"was [{"name":"acme","recognisedBy":"a","media":["b"]}]"#
            ])
        #expect(before.reloaded(from: after).dialects == after.dialects)
    }

    @Test func `the example dialect in the reference reads the example payload`() throws {
        let dialect = try #require(try dialects(ConfigurationReference.dialectsExample).first)
        let payload = JSONNode(try JSONParser.value(of: ConfigurationReference.payloadExample))
        #expect(dialect.recognisedBy.matches(payload))
        #expect(
            dialect.media.flatMap { $0.nodes(in: payload) }.map(\.string) == [
                "https://media.example.com/1.mp4", "https://media.example.com/2.jpg",
                "https://media.example.com/hero.png",
            ])
        let text =
            [dialect.text, dialect.fallback].flatMap { [$0.title, $0.body] } + [dialect.identifier, dialect.link]
        #expect(
            text.map { $0?.nodes(in: payload).first?.string } == [
                "Summer", "Three days at sea", "Open the app", "A new album is there.", "m-17", "acme://album/4",
            ])
        let beside = [dialect.type, dialect.options.thumbnailHidden, dialect.options.thumbnailTime]
        #expect(
            beside.map { $0?.nodes(in: payload).first?.value } == ["video/mp4", false, try JSONParser.value(of: "2.5")])
    }
}
