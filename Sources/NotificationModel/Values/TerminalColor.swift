/// A color of a terminal, by the number that selects it (ECMA-48, SGR).
package enum TerminalColor: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36

    /// Returns a text in this color, bold.
    package func bold(_ text: String) -> String { "\u{1B}[1;\(rawValue)m\(text)\u{1B}[0m" }
}
