import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of errors in the operator's own dialects, each with its line, its entry and its key.
@Suite struct DialectProblemTests {
    /// Returns the errors of a file. The keys of the entry are on lines 2 to 4.
    private func problems(_ lines: String..., besides standard: [DialectID] = []) throws -> [String] {
        let fixture = try ConfigurationFixture((["dialects:"] + lines).joined(separator: "\n"))
        let loader = ConfigurationLoader(
            environment: [:], defaults: Configuration(workers: 3, standardDialects: standard), defaultPath: fixture.path
        )
        guard case .failure(let errors) = loader.load() else { return [] }
        return errors.lines.map { $0.replacing(fixture.path, with: "appgroupd.yaml") }
    }

    private static let name = "1 to 32 lower-case letters, digits and dashes, not starting with a dash, such as acme"
    private static let path = "a key path, such as attachment.url or media[].url"

    @Test(
        arguments: [
            ("name: Acme", "name: \"Acme\" is not \(name)"), ("name: -a", "name: \"-a\" is not \(name)"),
            ("name: a_b", "name: \"a_b\" is not \(name)"), ("name: a.b", "name: \"a.b\" is not \(name)"),
            ("name: \"\"", "name: \"\" is not \(name)"), ("name: ñ", "name: \"ñ\" is not \(name)"),
            ("name: \"a\\n\"", "name: \"a\\n\" is not \(name)"),
            ("name: a\u{301}", "name: \"a\u{301}\" is not \(name)"),
            ("name: ~", "name: has no value: it must be \(name)"),
            ("name: [a]", "name: is a list: it must be \(name)"),
            (
                "name: aaaaaaaaaabbbbbbbbbbccccccccccddd",
                "name: \"aaaaaaaaaabbbbbbbbbbccccccccccddd\" is not \(name)"
            ),
            (
                "media: hero",
                "media: is \"hero\": it must be a list of places in a payload, such as [one, two] or [] for none"
            ),
            (
                "media:",
                "media: has no value: it must be a list of places in a payload, such as [one, two] or [] for none"
            ),
            ("media: [a..b]", "media: \"a..b\", character 3: a key is missing"),
            ("media: [\"\"]", "media: \"\", character 1: the key path is empty"),
            ("media: [~]", "media: has no value: it must be \(path)"),
            ("media: [{a: b}]", "media: is a mapping: it must be \(path)"),
            (
                "media: ['[0].a']",
                "media: \"[0].a\", character 1: a path begins with a key, because a payload is an object"
            ),
            (
                #"media: ['a\b']"#,
                #"media: "a\b", character 3: a backslash must be before one of . [ ] \ = or a space; write \\ for the backslash itself"#
            ),
            ("media: [\"a\\n..b\"]", "media: \"a\\n..b\", character 4: a key is missing"),
            ("recognisedBy: a.", "recognisedBy: \"a.\", character 3: a key is missing"),
            ("recognisedBy: a ==", "recognisedBy: \"a ==\", character 5: a value is missing after the ="),
            (
                "recognisedBy: a == \"b",
                "recognisedBy: \"a == \"b\", character 6: a value that begins with a quote must be a JSON string"
            ),
            (
                "recognisedBy: {a: b}",
                "recognisedBy: is a mapping: it must be a key path, or one with its value, such as com.acme.push or source == acme"
            ),
            ("type: a[", "type: \"a[\", character 3: a ] is missing"),
            ("title:", "title: has no value: it must be \(path)"),
            ("subtitle: [a]", "subtitle: is a list: it must be \(path)"),
            ("body: a]", "body: \"a]\", character 2: a ] has no [ before it; write \\] if it belongs to a key"),
            ("identifier: a b.", "identifier: \"a b.\", character 5: a key is missing"),
            ("link: a=b", "link: \"a=b\", character 2: write \\= if = belongs to a key"),
            ("fallback: a", "fallback: is \"a\": it must be a mapping with keys of title, subtitle, body"),
            ("fallback: {title: a..b}", "fallback.title: \"a..b\", character 3: a key is missing"),
            ("fallback: {title: ~}", "fallback.title: has no value: it must be \(path)"),
            ("options: []", "options: is a list: it must be a mapping with keys of thumbnailHidden, thumbnailTime"),
            ("options: {thumbnailTime: a[x]}", nil),
            (
                "options: {thumbnailTime: 'a[x]'}",
                "options.thumbnailTime: \"a[x]\", character 3: brackets are empty, for every element, or have the number of an element, from 0"
            ),
        ] as [(String, String?)])
    func `an invalid value is reported with its entry and its key`(line: String, problem: String?) throws {
        let key = line.prefix { $0 != ":" }
        let entry = ["name: acme", "recognisedBy: a", "media: [b]"].filter { !$0.hasPrefix(key) }
        let lines = (entry + [line]).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }.joined(separator: "\n")
        let at = "appgroupd.yaml:\(entry.count + 2): "
        let expected =
            problem.map { "\(at)dialects[0].\($0)" } ?? """
                \(at)it is not YAML: did not find expected ',' or '}': put texts with , [ ] { or } in quotes, or close \
                the bracket
                """
        #expect(try problems(lines) == [expected])
    }

    @Test(
        arguments: [
            ("medias: [a]", "dialects[0]: medias is not a key; did you mean media?"),
            ("recognizedBy: a", "dialects[0]: recognizedBy is not a key; did you mean recognisedBy?"),
            ("recognised-by: a", "dialects[0]: recognised-by is not a key; did you mean recognisedBy?"),
            ("Title: a", "dialects[0]: Title is not a key; did you mean title?"),
            ("fallback: {titles: a}", "dialects[0].fallback: titles is not a key; did you mean title?"),
            ("fallback: {link: a}", "dialects[0].fallback: link is not a key; the keys are title, subtitle, body"),
            (
                "options: {thumbnail_time: a}",
                "dialects[0].options: thumbnail_time is not a key; did you mean thumbnailTime?"
            ),
            (
                "thumbnails: a",
                "dialects[0]: thumbnails is not a key; the keys are name, recognisedBy, media, type, title, "
                    + "subtitle, body, fallback, identifier, link, options"
            ),
            ("\"x\\ny\": a", "dialects[0]: \"x\\ny\" is not a key; the keys are "),
        ])
    func `an unknown key of a dialect is reported with the most similar key`(line: String, expected: String) throws {
        let problems = try problems("  - name: acme", "    recognisedBy: a", "    media: []", "    " + line)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("appgroupd.yaml:5: " + expected) == true, "\(problems)")
    }

    @Test(
        arguments: [
            ("{}", ["name", "recognisedBy", "media"]), ("{name: a}", ["recognisedBy", "media"]),
            ("{name: a, media: []}", ["recognisedBy"]), ("{recognisedBy: a, media: []}", ["name"]),
        ])
    func `a missing key is reported`(entry: String, keys: [String]) throws {
        let problems = try problems("  - " + entry)
        #expect(problems.count == keys.count)
        for (problem, key) in zip(problems, keys) {
            #expect(problem.hasPrefix("appgroupd.yaml:2: dialects[0].\(key): is missing: it must be "), "\(problem)")
        }
    }

    @Test func `an entry that is not a mapping is refused`() throws {
        #expect(
            try problems("  - acme", "  - ~", "  - [name]")
                == ["2: dialects[0]: is \"acme\"", "3: dialects[1]: has no value", "4: dialects[2]: is a list"].map {
                    "appgroupd.yaml:\($0): it must be a mapping with keys of name, recognisedBy, media, type, title, "
                        + "subtitle, body, fallback, identifier, link, options"
                })
    }

    @Test(arguments: [("acme", "is \"acme\""), ("{name: a}", "is a mapping"), ("~", "has no value")])
    func `a value that is not a list is refused`(value: String, warning: String) throws {
        let fixture = try ConfigurationFixture("dialects: \(value)")
        #expect(
            fixture.problems() == [
                "appgroupd.yaml:1: dialects: \(warning): it must be a list of dialects, or [] for none"
            ])
    }

    @Test func `two dialects with the same name are refused`() throws {
        #expect(
            try problems(
                "  - {name: a, recognisedBy: a, media: []}", "  - {name: b, recognisedBy: a, media: []}",
                "  - {name: a, recognisedBy: a, media: []}", "  - {name: a, media: []}") == [
                    "appgroupd.yaml:4: dialects[2].name: a is also the name of dialects[0]: choose another name",
                    "appgroupd.yaml:5: dialects[3].name: a is also the name of dialects[0]: choose another name",
                    "appgroupd.yaml:5: dialects[3].recognisedBy: is missing: it must be a key path, or one with its value",
                ])
    }

    @Test func `a dialect with the name of a standard dialect is refused`() throws {
        let entries = [
            "  - {name: apns, recognisedBy: a, media: []}", "  - {name: apns-2, recognisedBy: a, media: []}",
        ]
        #expect(
            try problems(entries[0], entries[1], besides: ["2mee", "apns"]) == [
                "appgroupd.yaml:2: dialects[0].name: apns is a standard dialect: choose another name"
            ])
        #expect(try problems(entries[0], entries[1]) == [])
    }

    @Test func `all errors are reported in the order of their lines`() throws {
        #expect(
            try problems(
                "  - name: A", "    media:", "      - a", "      - b..", "      - c[",
                "    recognisedBy: x", "    titles: y", "  - name: b", "    media: []", "    recognisedBy: '='"
            ).map { $0.prefix { $0 != "\"" } } == [
                "appgroupd.yaml:2: dialects[0].name: ", "appgroupd.yaml:5: dialects[0].media: ",
                "appgroupd.yaml:6: dialects[0].media: ",
                "appgroupd.yaml:8: dialects[0]: titles is not a key; did you mean title?",
                "appgroupd.yaml:11: dialects[1].recognisedBy: ",
            ])
    }

    @Test func `a long path is shortened in the message`() throws {
        let problems = try problems("  - {name: a, recognisedBy: \(String(repeating: "a.", count: 10_000)), media: []}")
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.count < 200 && $0.hasSuffix("character 20001: a key is missing") })
    }

    @Test func `more than a hundred dialects are refused`() throws {
        let entries = (0..<100).map { "{name: d\($0), recognisedBy: a, media: []}" }.joined(separator: ", ")
        #expect(try ConfigurationFixture("dialects: [\(entries)]").problems() == [])
        #expect(
            try ConfigurationFixture("dialects: [\(entries), {}]").problems() == [
                "appgroupd.yaml:1: dialects: has more than 100 elements: remove some"
            ])
    }
}
