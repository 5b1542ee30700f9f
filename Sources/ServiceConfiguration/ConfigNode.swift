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
