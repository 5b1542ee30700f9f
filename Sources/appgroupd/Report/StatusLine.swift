import Glibc

/// The last line of a terminal on standard error, which is written over and over. Other output goes above it: call
/// `clear` before it is printed.
struct StatusLine {
    /// Whether standard error is a terminal that obeys control sequences.
    static var isShown: Bool {
        isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }

    /// Columns that a text may have without wrapping.
    static var columns: Int { max(1, (StandardStreams.columns(of: STDERR_FILENO) ?? 80) - 1) }

    private var shown = ""

    /// Shows a text, cut at the width of the terminal so that it never wraps.
    mutating func show(_ text: String) {
        let text = String(text.prefix(Self.columns))
        guard text != shown else { return }
        // Back to the first column; what the new text does not cover is erased after it (ECMA-48, EL).
        StandardStreams.errorText("\r\(text)\u{1B}[K")
        shown = text
    }

    mutating func clear() {
        guard !shown.isEmpty else { return }
        StandardStreams.errorText("\r\u{1B}[K")
        shown = ""
    }
}
