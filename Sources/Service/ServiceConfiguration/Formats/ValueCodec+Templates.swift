import Base
import NotificationModel

extension ValueCodec where Value == TextTemplates {
    private static var lines: [(key: String, path: any WritableKeyPath<TextTemplates.Lines, TextTemplate?> & Sendable)]
    {
        [("title", \.title), ("subtitle", \.subtitle), ("body", \.body)]
    }

    /// The codec of the templates by dialect. The key `app` beside the dialects is the name of the app.
    ///
    /// - Parameter dialects: The dialects of the program and of the operator. If there are none, any name is valid.
    static func texts(of dialects: Set<DialectID>) -> ValueCodec {
        let names = dialects.map(\.description).sorted()
        return ValueCodec(
            expected:
                "a mapping of dialects, or `*` for every dialect, to templates (\(lines.map(\.key).joined(separator: ", "))), and of `app` to the name of the app, such as {\"*\": {title: \"{title} · {app}\"}}",
            shape: .mapping,
            read: { value throws(ValueErrors) in try readTexts(value, names) },
            json: { texts in
                var shown = JSONObject()
                if let app = texts.app { shown.append("app", .string(app)) }
                for entry in texts.lines.sorted(by: { $0.key < $1.key }) {
                    shown.append(entry.key, .object(json(of: entry.value)))
                }
                return .object(shown)
            })
    }

    private static func json(of templates: TextTemplates.Lines) -> JSONObject {
        lines.reduce(into: JSONObject()) { shown, line in
            if let template = templates[keyPath: line.path] { shown.append(line.key, .string(template.description)) }
        }
    }

    private static func readTexts(_ value: ConfigNode, _ names: [String]) throws(ValueErrors) -> TextTemplates {
        guard case .map(let members) = value.content else {
            throw value.refusal(
                "\(value.warning): it must be a mapping of dialects, such as {\"*\": {title: \"{title} · {app}\"}}")
        }
        var texts = TextTemplates()
        var refusals: [ValueError] = []
        for member in members {
            if member.name != "app", let problem = problem(with: member.name, names) {
                refusals.append(ValueError(source: member.source, text: problem))
                continue
            }
            do throws(ValueErrors) {
                if member.name == "app" {
                    texts.app = try ValueCodec<String>.label.read(member.value)
                } else {
                    texts.lines[member.name] = try readLines(member.value)
                }
            } catch {
                refusals += error.below(".\(member.name)")
            }
        }
        guard refusals.isEmpty else { throw ValueErrors(refusals) }
        return texts
    }

    /// Returns the problem of a name that belongs to no dialect; `nil` if it does.
    private static func problem(with name: String, _ names: [String]) -> String? {
        if name == TextTemplates.everyDialect || names.contains(name) { return nil }
        if names.isEmpty, (1...32).contains(name.utf8.count) { return nil }
        let nearest = NearestWord.related(to: name, among: names + ["app"])
        return "\(KeySuggestion.shown(name)) is not a dialect; "
            + (nearest.map { "did you mean \($0)?" } ?? "write the name of one, or \"*\" for every dialect")
    }

    private static func readLines(_ value: ConfigNode) throws(ValueErrors) -> TextTemplates.Lines {
        var reader = try MappingReader(value, keys: lines.map(\.key))
        var templates = TextTemplates.Lines()
        for line in lines {
            templates[keyPath: line.path] = reader.value(line.key, .template(lines: line.key == "body"))
        }
        try reader.finish()
        return templates
    }
}
