/// Why a value, or a part of it, cannot be taken.
struct ValueError: Sendable, Equatable {
    let source: ValueSource
    /// Of the part, below the key: `[0].media`; empty for the value itself.
    var place = ""
    /// What is wrong and how to mend it. Never has a secret in it.
    let text: String
}
