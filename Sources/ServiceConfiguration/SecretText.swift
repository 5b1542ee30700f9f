/// A text that no log, listing or message repeats.
package struct SecretText: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package static let shown = "(secret)"

    package let value: String

    package init(_ value: String) { self.value = value }

    package var description: String { Self.shown }
    package var debugDescription: String { Self.shown }
    /// `dump` looks inside otherwise.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
