/// A value as somebody wrote it, with its place, before anything is known of its type.
struct ConfigNode: Sendable {
    indirect enum Content: Sendable {
        /// A key with nothing behind it, `~` or `null`.
        case nothing
        case text(String)
        case list([ConfigNode])
        case map([Member])
    }

    struct Member: Sendable {
        let name: String
        /// Of the name.
        let source: ValueSource
        let value: ConfigNode
    }

    let content: Content
    let source: ValueSource

    /// What it is, for messages that go on with what it should have been.
    var complaint: String {
        switch content {
        case .nothing: "has no value"
        case .text(let text): "is \(QuotedText.quote(text))"
        case .list: "is a list"
        case .map: "is a mapping"
        }
    }

    func refusal(_ text: String) -> ValueErrors { ValueErrors(source, text) }

    /// The text, where it is one.
    func text(_ expected: String) throws(ValueErrors) -> String {
        guard case .text(let text) = content else { throw refusal("\(complaint): it must be \(expected)") }
        return text
    }
}

/// How a variable or a flag says a value.
enum ValueShape: Sendable {
    case text
    /// Between commas.
    case list
    /// YAML on one line.
    case mapping
    /// The same, of a list whose elements are no texts.
    case listOfMappings
}

/// A flag of the command line with one value; a flag that is given twice is here twice.
package struct FlagValue: Sendable, Equatable {
    /// With its dashes.
    package let flag: String
    package let text: String

    package init(_ flag: String, _ text: String) {
        self.flag = flag
        self.text = text
    }
}
