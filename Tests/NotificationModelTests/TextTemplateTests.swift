import Base
import Testing

@testable import NotificationModel

/// Tests of the templates of texts: their grammar, their values and their bounds.
@Suite struct TextTemplateTests {
    private static let text = NotificationText(title: "T", subtitle: "S", body: "B")
    private static let payload = #"""
        {"order":{"id":17,"name":"Tea","paid":true,"note":null,"tags":["a","b"],"rate":1.50},
         "items":[{"n":{}},{"n":"x"},{"n":"y"}],"a.b":"dotted","title":"P","empty":""}
        """#

    private func line(
        _ template: String, of text: NotificationText = Self.text, app: String = "Shop",
        payload: String = Self.payload, lines: Bool = false
    ) throws -> String? {
        let root = JSONNode(try JSONParser.value(of: payload))
        return try TextTemplate(template, lines: lines).line(of: text, app: app, payload: root, lines: lines)
    }

    @Test(arguments: [
        ("{title} · {app}", "T · Shop"), ("{title} [modified]", "T [modified]"), ("{body}{subtitle}", "BS"),
        ("News", "News"), ("{{{title}}}", "{T}"), ("{{title}}", "{title}"), ("a{{b}}c {app}", "a{b}c Shop"),
        ("{order.id}: {order.name}", "17: Tea"), ("{items[].n}", "x"), ("{items[2].n}", "y"), (#"{a\.b}"#, "dotted"),
        ("{order.rate} {title}", "1.50 T"), ("{title} {order.tags[1]}", "T b"), ("{ä} {title}", "T"),
    ])
    func `a template has the lines of the text, the app and values of the payload`(
        template: String, expected: String
    ) throws {
        #expect(try line(template) == expected)
    }

    @Test(arguments: [
        "{order.paid}", "{order.note}", "{order}", "{order.tags}", "{items[0].n}", "{empty}", "{missing}",
    ])
    func `a value that is no string and no number is missing`(template: String) throws {
        #expect(try line(template) == nil)
        #expect(try line("{title} · \(template) · {app}") == "T · Shop")
        #expect(try line("\(template) · {title}") == "T" && line("{title} · \(template)") == "T")
        #expect(try line("\(template) [modified]") == nil)
    }

    @Test(
        arguments: [
            ("{title} · {app}", "Shop"), ("{title} [modified]", nil), ("({title}) {app}", "() Shop"),
            ("[{app}] {title}", "[Shop]"), ("{app}% {title}", "Shop%"), ("{app} – {title}", "Shop"),
            ("{title} in {app}", "in Shop"), ("{app} · {title}: {title}", "Shop"), ("{title}", nil),
        ] as [(String, String?)])
    func `a separator is not written beside a missing value`(template: String, expected: String?) throws {
        #expect(try line(template, of: NotificationText(title: "", body: "B")) == expected)
        #expect(try line(template, of: NotificationText(body: "B")) == expected)
    }

    @Test(arguments: [
        ("{titel}", 1, "{titel} is not a placeholder; did you mean {title}?"),
        ("{title} {Body}", 9, "{Body} is not a placeholder; did you mean {body}?"),
        ("{ title }", 1, "{ title } is not a placeholder; did you mean {title}?"),
        ("{ap}", 1, "{ap} is not a placeholder; did you mean {app}?"),
        ("{sub_title}", 1, "{sub_title} is not a placeholder; did you mean {subtitle}?"),
        (
            "x{a..b}", 5,
            "{a..b} is neither one of {title}, {subtitle}, {body}, {app} nor a key path: a key is missing"
        ),
        (
            "{}", 2,
            "{} is neither one of {title}, {subtitle}, {body}, {app} nor a key path: the key path is empty"
        ),
        ("{title", 1, "a } is missing"), ("a {", 3, "a } is missing"),
        ("a } b", 3, "a } has no { before it; write }} for the character itself"),
        ("{title}}", 8, "a } has no { before it; write }} for the character itself"),
        ("{a{b}}", 3, "a placeholder cannot have a { in it; write {{ for the character itself"),
        ("", 1, "a template has 1 to 1000 bytes"),
        ("a\u{202E}b", 2, "U+202E is a control character or changes the direction of text; remove it"),
        ("a\nb", 2, "U+000A is a control character or changes the direction of text; remove it"),
        ("\u{2028}", 1, "U+2028 is a control character or changes the direction of text; remove it"),
    ])
    func `an error names the position, the placeholder and the nearest known one`(
        template: String, position: Int, problem: String
    ) {
        #expect(throws: KeyPathError(text: template, position: position, problem: problem)) {
            try TextTemplate(template)
        }
    }

    @Test(arguments: ["x", "{", "}", "{{", "{a.", "{title}", "{a{", "ä", "\u{301}"])
    func `a template of 100 kB is refused`(part: String) {
        let template = String(repeating: part, count: 100_000 / part.utf8.count + 1)
        #expect(throws: KeyPathError(text: template, position: 1, problem: "a template has 1 to 1000 bytes")) {
            try TextTemplate(template)
        }
    }

    @Test func `a template has at most sixteen placeholders`() throws {
        let most = String(repeating: "{title}", count: 16)
        #expect(try line(most) == String(repeating: "T", count: 16))
        #expect(throws: KeyPathError.self) { try TextTemplate(most + "{app}") }
        #expect(try line(String(repeating: "{{", count: 500)) == String(repeating: "{", count: 500))
    }

    @Test(arguments: [
        ("a\u{202E}b\u{2066}c\u{200F}", "abc", "abc"), ("a\nb\r\nc\td", "a b  c d", "a\nb \nc d"),
        ("\u{0}\u{1B}[31m", "[31m", "[31m"), ("a\u{2028}b\u{85}c", "a b c", "a b c"), ("👩‍🚀", "👩‍🚀", "👩‍🚀"),
    ])
    func `control characters and marks for the direction of text are not shown`(
        value: String, line: String, lines: String
    ) throws {
        let payload = JSONWriter.text(of: ["v": .string(value)])
        #expect(try self.line("{v.x}{v}", payload: payload) == line)
        #expect(try self.line("{v}", payload: payload, lines: true) == lines)
        #expect(try self.line("{title}", of: NotificationText(title: value), payload: "{}") == line)
    }

    @Test func `a body may have line feeds`() throws {
        #expect(try line("{title}\n{body}", lines: true) == "T\nB")
    }

    @Test(arguments: ["x", "ä", "👩‍🚀", "e\u{301}", "\u{301}", "🇦🇹"])
    func `a very long line is cut at a character`(part: String) throws {
        let long = String(repeating: part, count: 1_000_000 / part.utf8.count)
        let text = NotificationText(title: long, body: long)
        for template in ["{title}", "{title} · {body}", "[{body}] {title}{title}", "{body} \(part)"] {
            let line = try #require(try line(template, of: text))
            #expect(line.utf8.count <= TextTemplate.maxLine)
            #expect(line.hasSuffix("…") && line.dropLast().allSatisfy { "·[] \(part)".contains($0) })
            // A million marks on one letter are one character, which is either whole or left out.
            if part != "\u{301}" { #expect(line.utf8.count > TextTemplate.maxLine - 64) }
        }
    }

    @Test func `a text without a template, without a dialect or without characters does not change`() throws {
        var templates = TextTemplates()
        let empty = NotificationText(title: "", body: "")
        func shown(_ text: NotificationText, in dialect: DialectID? = "apns") -> NotificationText {
            templates.text(showing: text, of: [:], in: dialect, group: .default)
        }
        #expect(shown(Self.text) == Self.text)
        var lines = TextTemplates.Lines()
        lines.title = try TextTemplate("{title} · {app}")
        templates.lines = ["*": lines]
        #expect(shown(Self.text).title == "T · group.default" && shown(Self.text).body == "B")
        #expect(shown(Self.text, in: nil) == Self.text)
        #expect(shown(empty) == empty && shown(NotificationText()) == NotificationText())
        templates.app = "Shop"
        #expect(shown(Self.text).title == "T · Shop")
    }

    @Test func `each line has the template of its dialect, or else the template of every dialect`() throws {
        var (every, own) = (TextTemplates.Lines(), TextTemplates.Lines())
        every.title = try TextTemplate("{title} · {app}")
        every.body = try TextTemplate("{subtitle}: {body}", lines: true)
        own.title = try TextTemplate("{title} [modified]")
        var templates = TextTemplates()
        templates.lines = ["*": every, "sendios": own]
        let text = templates.text(showing: Self.text, of: [:], in: "sendios", group: .default)
        #expect(text == NotificationText(title: "T [modified]", subtitle: "S", body: "S: B"))
    }
}
