/// Why a value, or a part of it, cannot be taken.
struct ValueRefusal: Sendable, Equatable {
    let source: ValueSource
    /// What is wrong and how to mend it. Never has a secret in it.
    let text: String
}
