import Base
import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of the key `texts`, and of the errors in it.
@Suite struct TextTemplateKeyTests {
    /// Returns the errors of a file, with some of the program's dialects.
    private func problems(_ yaml: String) throws -> [String] {
        let fixture = try ConfigurationFixture(yaml)
        guard case .failure(let errors) = loader(fixture).load() else { return [] }
        return errors.lines.map { $0.replacing(fixture.path, with: "appgroupd.yaml") }
    }

    private func loader(_ fixture: ConfigurationFixture) -> ConfigurationLoader {
        ConfigurationLoader(
            environment: [:], defaults: Configuration(workers: 3, standardDialects: ["2mee", "apns", "sendios"]),
            defaultPath: fixture.path)
    }

    @Test func `templates are read for a dialect, for every dialect and for a dialect of the operator`() throws {
        let yaml = """
            dialects: [{name: acme, recognisedBy: acme, media: []}]
            texts:
              app: Example Shop
              sendios: {title: "{title} [modified]"}
              "*": {title: "{title} · {app}", body: "{body}\\n{acme.footer}"}
              acme: {subtitle: "{acme.items[].name}"}
            """
        #expect(try problems(yaml) == [])
        let fixture = try ConfigurationFixture(yaml)
        let texts = try withExtendedLifetime(fixture) { try loader(fixture).load().get().texts }
        #expect(texts.app == "Example Shop")
        #expect(Set(texts.lines.keys) == ["*", "acme", "sendios"])
        #expect(texts.lines["sendios"]?.title?.description == "{title} [modified]")
        #expect(texts.lines["*"]?.body?.description == "{body}\n{acme.footer}")
    }

    @Test(arguments: [
        ("texts: {sendos: {title: a}}", "texts: sendos is not a dialect; did you mean sendios?"),
        ("texts: {apn: {title: a}}", "texts: apn is not a dialect; did you mean apns?"),
        (
            "texts: {\"x y\": {title: a}}",
            "texts: \"x y\" is not a dialect; write the name of one, or \"*\" for every dialect"
        ),
        ("texts: {apns: {titel: a}}", "texts.apns: titel is not a key; the keys are title, subtitle, body"),
        (
            "texts: {\"*\": {title: \"{titel} · {app}\"}}",
            "texts.*.title: \"{titel} · {app}\", character 1: {titel} is not a placeholder; did you mean {title}?"
        ),
        (
            "texts: {apns: {title: \"a\\nb\"}}",
            "texts.apns.title: \"a\\nb\", character 2: U+000A is a control character or changes the direction of text; remove it"
        ),
        ("texts: {apns: {title: ~}}", "texts.apns.title: has no value: it must be a text with placeholders, such as "),
        ("texts: {apns: a}", "texts.apns: is \"a\": it must be a mapping with keys of title, subtitle, body"),
        ("texts: {app: {title: a}}", "texts.app: is a mapping: it must be a text of 1 to 1000 bytes on one line"),
        ("texts: a", "texts: is \"a\": it must be a mapping of dialects, such as "),
    ])
    func `an error names its place and the nearest known word`(yaml: String, problem: String) throws {
        let problems = try problems(yaml)
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix("appgroupd.yaml:1: " + problem) == true, "\(problems)")
    }

    @Test func `a template of 100 kB is reported in one short line`() throws {
        let template = String(repeating: "{title}", count: 14_286)
        let found = try problems("texts: {apns: {title: \"\(template)\"}}")
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.count < 250 && $0.hasSuffix("a template has 1 to 1000 bytes") })
        let name = String(repeating: "x", count: 1_000)
        let unknown = try problems("texts: {\(name): {}}")
        #expect(unknown.count == 1 && unknown.allSatisfy { $0.count < 250 })
    }
}
