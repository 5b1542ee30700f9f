import Base
import NotificationModel

/// The rules for texts that people would see.
enum TextRules {
    static let all = [keyAlone, broken, hidden, unrendered, encoded, html, long]

    private static let keyAlone = LintRule(
        "loc-key-alone", .note,
        "A line of the alert has a `loc-key`, but no text. If no string table has the key, the line is empty.",
        source:
            "See docs/use/dialects.md, \"Texts by name\". If no string table has the key, `problem` names the key."
    ) { subject in
        // A provider's own keys may have the text that the alert lacks.
        let shown = subject.reading.successText
        let lines = [
            ("title-loc-key", "title", shown.title), ("subtitle-loc-key", "subtitle", shown.subtitle),
            ("loc-key", "body", shown.body),
        ]
        return subject.pushes.flatMap { push in
            lines.compactMap { key, line, shown in
                let alert = push.aps["alert"]
                guard let name = alert[key].text, alert[line].text == nil, shown?.isEmpty ?? true else { return nil }
                return RuleFinding(
                    alert[key], "without a string table that has \(VisibleText.quoted(name)), there is no \(line)",
                    fix: "Add a \(line) in the language of most receivers")
            }
        }
    }

    private static let broken = LintRule(
        "broken-text", .warning,
        "A string contains U+FFFD or half of a surrogate pair, because a character was lost.",
        source: "Source: RFC 8259 §8.2. The text was cut inside a character, or decoded with a wrong encoding."
    ) { subject in
        guard !subject.isTooLong else { return [] }
        let halves = subject.loneSurrogates.map { path in
            RuleFinding(
                path, "there is half of a surrogate pair, which readers replace by U+FFFD",
                fix: "Cut texts only between characters, and write them in UTF-8")
        }
        let known = Set(subject.loneSurrogates)
        let replaced = PayloadWalk(subject.object).strings.filter {
            $0.text.contains("\u{FFFD}") && !known.contains($0.path)
        }
        return halves
            + replaced.map { path, _ in
                RuleFinding(path, "there is U+FFFD in place of a lost character", fix: "Write the text again, in UTF-8")
            }
    }

    private static let hidden = LintRule.each(
        lines(of:), "hidden-characters", .warning,
        "A text has only white space, or contains control characters, characters without a width, or characters that change the direction of text.",
        source: "Unicode Technical Report 36: the text that people see differs from the text that programs read."
    ) { line, _ in
        if !line.text.isEmpty, line.text.allSatisfy({ $0.isWhitespace || $0.unicodeScalars.allSatisfy(isHidden) }) {
            return RuleFinding(line.path, "the text has no visible character", fix: "Write a text, or remove the line")
        }
        guard let scalar = line.text.unicodeScalars.first(where: isHidden) else { return nil }
        return RuleFinding(
            line.path, "the text has the invisible character \(VisibleText.name(of: scalar)) in it",
            fix: "Remove it")
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\t": false
        // Direction marks and isolates, for Arabic and Hebrew, and joiners, for emoji, are not reported.
        case "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{202D}", "\u{202E}": true
        default: scalar.properties.generalCategory == .control
        }
    }

    private static let unrendered = LintRule.each(
        lines(of:), "unrendered-template", .warning,
        "A text contains a placeholder of a template, or is a word that a program prints for a missing value.",
        source:
            "Examples are `{{name}}`, `${name}`, `<%= name %>`, `{% if %}`, `undefined`, `null` and `[object Object]`."
    ) { line, _ in
        guard let found = leftover(in: line.text) else { return nil }
        return RuleFinding(
            line.path, "people would see \(VisibleText.quoted(found)) in the text",
            fix: "Fill in the template, with a default for missing values")
    }

    private static func leftover(in text: String) -> String? {
        for (start, end) in [("{{", "}}"), ("${", "}"), ("<%", "%>"), ("{%", "%}")] {
            guard let from = text.firstRange(of: start), let to = text[from.upperBound...].firstRange(of: end) else {
                continue
            }
            return String(text[from.lowerBound..<to.upperBound])
        }
        if text.contains("[object Object]") { return "[object Object]" }
        return ["undefined", "null", "None", "NaN", "nil"].contains(text) ? text : nil
    }

    private static let encoded = LintRule.each(
        lines(of:), "json-text", .warning, "A text is JSON. Receivers would see the brackets of the JSON.",
        source: "If a sender encodes an object as JSON twice, the result is a string, and receivers see this string."
    ) { line, _ in
        guard line.text.starts(with: /[\[{]/), let value = try? JSONParser.value(of: line.text) else { return nil }
        return RuleFinding(
            line.path, "the text is \(value.typeName) in JSON, and people would see the JSON",
            fix: "Write \(value.typeName) without quotes around it")
    }

    private static let html = LintRule.each(
        lines(of:), "html-text", .warning, "A text contains HTML. Receivers would see the entities or the tags.",
        source: "Notifications show plain text. Examples are `&amp;`, `&#39;` and `<b>`."
    ) { line, _ in
        guard let found = HTMLText.first(in: line.text) else { return nil }
        return RuleFinding(
            line.path, "people would see \(VisibleText.quoted(found)) in the text",
            fix: "Write the characters themselves, without HTML")
    }

    /// The approximate number of characters of a title and of a body that a lock screen shows.
    private static let most = (title: 50, body: 178)

    private static let long = LintRule.each(
        lines(of:), "long-text", .note,
        "A title or a subtitle has more than 50 characters, or a body has more than 178. Receivers see the rest only after a tap.",
        source:
            "Apple publishes no limits. On the lock screen of an iPhone, 50 characters are about one line, and 178 characters are about four lines. Other phones show less."
    ) { line, _ in
        let most = line.isBody ? most.body : most.title
        let count = line.text.count
        guard count > most else { return nil }
        return RuleFinding(
            line.path,
            "the text has \(count) characters, and about \(most) of a \(line.isBody ? "body" : "title") are shown",
            fix: "Put the important words first, or write a shorter text")
    }

    private struct Line {
        let path: JSONPath
        let text: String
        let isBody: Bool
    }

    /// Returns the titles, subtitles and bodies that the dialect has read, each once, with its position.
    private static func lines(of subject: LintSubject) -> [Line] {
        var isBody: [String: Bool] = [:]
        let texts = [subject.reading.successText, subject.reading.fallbackText, subject.reading.expiryText]
        for text in texts.compactMap(\.self) {
            for title in [text.title, text.subtitle].compactMap(\.self) { isBody[title] = false }
            if let body = text.body { isBody[body] = isBody[body] ?? true }
        }
        guard !isBody.isEmpty else { return [] }
        var seen: Set<String> = []
        return PayloadWalk(subject.payload).strings.compactMap { path, text in
            guard let isBody = isBody[text], seen.insert(text).inserted else { return nil }
            return Line(path: path, text: text, isBody: isBody)
        }
    }
}

/// A search for HTML in a text that is displayed without interpretation.
enum HTMLText {
    /// Returns the first entity or tag of a text. Returns `nil` if the text has no HTML.
    static func first(in text: String) -> String? { (entity(in: text) ?? tag(in: text)).map { String($0) } }

    static func entity(in text: String) -> Substring? {
        // Most texts have no `&` or `<`. Without the check, each of these texts would be matched with the expressions.
        guard text.utf8.contains(UInt8(ascii: "&")) else { return nil }
        return text.firstMatch(of: /&(amp|lt|gt|quot|apos|nbsp|copy|hellip|mdash|#[0-9]{1,6}|#x[0-9A-Fa-f]{1,5});/)?
            .output.0
    }

    /// Returns a closing tag, an opening tag with an attribute, or `<br>`. Other letters between angle brackets may
    /// have any meaning.
    private static func tag(in text: String) -> Substring? {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return nil }
        let tags = /<\/(b|i|u|p|a|h[1-6]|li|ul|ol|strong|em|span|div|font|script)\s*>/.ignoresCase()
        let lone = /<(br|img|a|font|span|div|p)(\s+[a-z-]+\s*=[^>]{0,200})?\s*\/?>/.ignoresCase()
        return text.firstMatch(of: tags)?.output.0
            ?? text.firstMatch(of: lone).flatMap {
                $0.output.2 == nil && $0.output.1.lowercased() != "br" ? nil : $0.output.0
            }
    }
}
