/// A value as an operator wrote it, with its source, before its type is known.
struct ConfigNode: Sendable {
    indirect enum Content: Sendable {
        /// A key without a value, or with `~` or `null`.
        case nothing
        case text(String)
        case list([ConfigNode])
        case map([Member])
    }

    struct Member: Sendable {
        let name: String
        /// The source of the name.
        let source: ValueSource
        let value: ConfigNode
    }

    let content: Content
    let source: ValueSource

    /// The description of the value in a message. The message continues with the expected value.
    var warning: String {
        switch content {
        case .nothing: "has no value"
        case .text(let text): "is \(QuotedText.quote(text))"
        case .list: "is a list"
        case .map: "is a mapping"
        }
    }

    func refusal(_ text: String) -> ValueErrors { ValueErrors(source, text) }

    /// Returns the value as a text.
    ///
    /// - Throws: A message if the value is not a text.
    func text(_ expected: String) throws(ValueErrors) -> String {
        guard case .text(let text) = content else { throw refusal("\(warning): it must be \(expected)") }
        return text
    }
}

/// The form of a value in a variable or a flag.
enum ValueShape: Sendable {
    case text
    /// A list of texts, with commas between them.
    case list
    /// A list of texts with commas between them, or a mapping as YAML on one line in braces.
    case listOrMapping
    /// A mapping as YAML on one line.
    case mapping
    /// A list of mappings, as YAML on one line.
    case listOfMappings
}

/// A flag of the command line with its value. A flag that is given twice has two such values.
package struct FlagValue: Sendable, Equatable {
    /// The flag with its dashes.
    package let flag: String
    package let text: String

    package init(_ flag: String, _ text: String) {
        self.flag = flag
        self.text = text
    }
}
