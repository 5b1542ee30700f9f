import Base
import NotificationModel

extension ValueCodec where Value == KeyPathText {
    static var keyPath: ValueCodec {
        rule(
            "a key path", as: "attachment.url or media[].url",
            { text throws(KeyPathError) in try KeyPathText(text) }, shown: { .string($0.description) })
    }
}

extension ValueCodec where Value == PayloadDiscriminator {
    static var discriminator: ValueCodec {
        rule(
            "a key path, or one with its value", as: "com.acme.push or source == acme",
            { text throws(KeyPathError) in try PayloadDiscriminator(text) }, shown: { .string($0.description) })
    }
}

extension ValueCodec where Value == TextTemplate {
    /// - Parameter lines: Whether the template may have line feeds.
    static func template(lines: Bool) -> ValueCodec {
        rule(
            "a text with placeholders", as: "\"{title} · {app}\"",
            { text throws(KeyPathError) in try TextTemplate(text, lines: lines) },
            shown: { .string($0.description) })
    }
}

extension ValueCodec where Value == DialectID {
    static var dialectName: ValueCodec {
        text(
            "1 to 32 lower-case letters, digits and dashes, not starting with a dash", as: "acme",
            { isName($0.utf8) ? DialectID($0) : nil }, shown: { .string($0.description) })
    }

    private static func isName(_ text: String.UTF8View) -> Bool {
        (1...32).contains(text.count) && text.first != UInt8(ascii: "-")
            && text.allSatisfy { byte in
                byte.isASCIIDigit || byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
    }
}

extension ValueCodec where Value == LanguageTag {
    static var languageTag: ValueCodec {
        text("a language tag", as: "de or de-AT", { LanguageTag($0) }, shown: { .string($0.description) })
    }
}

extension ValueCodec {
    /// Returns the codec of a text with a grammar. An error is reported with its position.
    fileprivate static func rule(
        _ expected: String, as examples: String,
        _ parse: @escaping @Sendable (String) throws(KeyPathError) -> Value,
        shown: @escaping @Sendable (Value) -> JSONValue
    ) -> ValueCodec {
        ValueCodec(
            expected: expected, shape: .text,
            read: { value throws(ValueErrors) in
                let text = try value.text("\(expected), such as \(examples)")
                do throws(KeyPathError) {
                    return try parse(text)
                } catch {
                    throw value.refusal(
                        "\(QuotedText.verbatim(error.text)), character \(error.position): \(error.problem)")
                }
            },
            json: shown)
    }
}
