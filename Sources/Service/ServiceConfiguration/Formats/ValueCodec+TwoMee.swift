import Base
import NotificationModel

extension ValueCodec where Value == String {
    /// The codec of a text on one line that people read, or that the system compares.
    static var label: ValueCodec {
        text(
            "a text of 1 to 1000 bytes on one line",
            { (1...1_000).contains($0.utf8.count) && isOneLine($0) ? $0 : nil }, shown: { .string($0) })
    }

    /// The codec of a color in hexadecimal digits, with or without its opacity.
    static var color: ValueCodec {
        text("a colour", as: "\"#000000\" or \"#00000099\"", TwoMeePresentation.color, shown: { .string($0) })
    }

    /// The codec of the name of a sound file of the app, without a directory.
    fileprivate static var soundName: ValueCodec {
        text(
            "the name of a sound file", as: "bell.aiff",
            { (1...255).contains($0.utf8.count) && isOneLine($0) && !$0.contains("/") ? $0 : nil },
            shown: { .string($0) })
    }

    private static func isOneLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }
}

extension ValueCodec where Value == [String: String] {
    /// The codec of the sound files for the kinds of 2mee messages. A kind that is left out has the default sound, and
    /// the word `none` means no sound.
    static var sounds: ValueCodec {
        let kinds = TwoMeeSettings.kinds
        return ValueCodec(
            expected:
                "a mapping of kinds (\(kinds.joined(separator: ", "))) to sound files of the app; each file may be none",
            shape: .mapping,
            read: { value throws(ValueErrors) in
                var reader = try MappingReader(value, keys: kinds)
                var sounds = TwoMeeSettings().sounds
                for kind in kinds where reader.has(kind) {
                    sounds[kind] = reader.value(kind, ValueCodec<String?>.orNone(.soundName)) ?? nil
                }
                try reader.finish()
                return sounds
            },
            json: { sounds in
                .object(
                    kinds.reduce(into: JSONObject()) { shown, kind in
                        shown.append(kind, .string(sounds[kind] ?? "none"))
                    })
            })
    }
}

extension ValueCodec where Value == [String: TwoMeeLabels] {
    /// The keys of one language, with the properties that they set.
    private static var texts: [(key: String, path: any WritableKeyPath<TwoMeeLabels, String?> & Sendable)] {
        [
            ("accept", \.accept), ("dismiss", \.dismiss), ("play", \.play), ("expiredText", \.expiredText),
        ]
    }

    /// The codec of the texts of each language. A text that a language does not have is taken from a shorter language
    /// tag, or from the texts without a language.
    static var labels: ValueCodec {
        let keys = texts.map(\.key)
        return ValueCodec(
            expected:
                "a mapping of languages to texts (\(keys.joined(separator: ", "))), such as {de: {accept: Ansehen}}",
            shape: .mapping, read: readLabels,
            json: { languages in
                .object(
                    languages.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { shown, language in
                        shown.append(language.key, .object(json(of: language.value)))
                    })
            })
    }

    private static func json(of labels: TwoMeeLabels) -> JSONObject {
        texts.reduce(into: JSONObject()) { shown, text in
            if let label = labels[keyPath: text.path] { shown.append(text.key, .string(label)) }
        }
    }

    private static func readLabels(_ value: ConfigNode) throws(ValueErrors) -> Value {
        guard case .map(let members) = value.content else {
            throw value.refusal(
                "\(value.warning): it must be a mapping of languages, such as {de: {accept: Ansehen}}")
        }
        var languages: Value = [:]
        var refusals: [ValueError] = []
        for member in members {
            guard let tag = LanguageTag(member.name)?.description.lowercased(), languages[tag] == nil else {
                let name = QuotedText.quote(member.name)
                let text = "\(name) is not a language tag, or occurs twice: write a tag such as de or de-AT"
                refusals.append(ValueError(source: member.source, text: text))
                continue
            }
            do throws(ValueErrors) {
                var reader = try MappingReader(member.value, keys: texts.map(\.key))
                var labels = TwoMeeLabels()
                for text in texts { labels[keyPath: text.path] = reader.value(text.key, .label) }
                try reader.finish()
                languages[tag] = labels
            } catch {
                refusals += error.below(".\(member.name)")
            }
        }
        guard refusals.isEmpty else { throw ValueErrors(refusals) }
        return languages
    }
}
