import NotificationModel

extension ValueFormat where Value == KeyPathText {
    static var keyPath: ValueFormat {
        rule(
            "a key path", as: "attachment.url or media[].url",
            { text throws(KeyPathError) in try KeyPathText(text) }, shown: { .string($0.description) })
    }
}

extension ValueFormat where Value == PayloadDiscriminator {
    static var discriminator: ValueFormat {
        rule(
            "a key path, or one with its value", as: "com.acme.push or source == acme",
            { text throws(KeyPathError) in try PayloadDiscriminator(text) }, shown: { .string($0.description) })
    }
}

extension ValueFormat where Value == DialectID {
    static var dialectName: ValueFormat {
        text(
            "1 to 32 lower-case letters, digits and dashes, not starting with a dash", as: "acme",
            { isName($0.utf8) ? DialectID($0) : nil }, shown: { .string($0.description) })
    }

    private static func isName(_ text: String.UTF8View) -> Bool {
        (1...32).contains(text.count) && text.first != UInt8(ascii: "-")
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension ValueFormat where Value == LanguageTag {
    static var languageTag: ValueFormat {
        text("a language tag", as: "de or de-AT", { LanguageTag($0) }, shown: { .string($0.description) })
    }
}

extension ValueFormat {
    /// A text with a grammar: what is wrong is told with its place.
    fileprivate static func rule(
        _ expected: String, as examples: String,
        _ parse: @escaping @Sendable (String) throws(KeyPathError) -> Value,
        shown: @escaping @Sendable (Value) -> JSONValue
    ) -> ValueFormat {
        ValueFormat(
            expected: expected, shape: .text,
            read: { value throws(ValueRefusals) in
                let text = try value.text("\(expected), as \(examples)")
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
