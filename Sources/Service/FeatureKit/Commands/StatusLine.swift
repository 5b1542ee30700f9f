import Glibc
import Telemetry

/// The last line of a terminal on standard error, which each update overwrites. Call `clear` before other output.
package struct StatusLine {
    /// Whether standard error is a terminal that supports control sequences.
    package static var isShown: Bool {
        isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }

    /// The number of columns that a text may have without being wrapped.
    package static var columns: Int { max(1, (StandardStreams.columns(of: STDERR_FILENO) ?? 80) - 1) }

    private var shown = ""

    package init() {}

    /// Shows a text. The text is cut at the width of the terminal, so that it is never wrapped.
    package mutating func show(_ text: String) {
        let text = String(LogText.onTerminal(text, isLine: true).prefix(Self.columns))
        guard text != shown else { return }
        // The cursor returns to the first column. The rest of the old text is erased (ECMA-48, EL).
        StandardStreams.errorText("\r\(text)\u{1B}[K")
        shown = text
    }

    package mutating func clear() {
        guard !shown.isEmpty else { return }
        StandardStreams.errorText("\r\u{1B}[K")
        shown = ""
    }
}
