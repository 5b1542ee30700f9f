import Glibc
package import LinuxIO
import Telemetry

/// The whole screen of a terminal, with the keys that are pressed, for a command that draws frames.
///
/// From `begin` to `end`, keys are read without a line feed and are not shown, and the frames are on the alternate screen,
/// so that the text above the command stays. `^C` still sends SIGINT.
package struct TerminalScreen: Sendable {
    private let before: termios

    /// Begins to use the terminal; returns `nil` if standard input or standard output is not a terminal, or if the
    /// terminal has no control sequences.
    package static func begin() -> TerminalScreen? {
        var mode = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0,
            getenv("TERM").map({ String(cString: $0) }) ?? "dumb" != "dumb"
        else { return nil }
        let screen = TerminalScreen(before: mode)
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode) == 0 else { return nil }
        // The alternate screen, without a cursor (xterm, "ctlseqs").
        write("\u{1B}[?1049h\u{1B}[?25l")
        return screen
    }

    /// Shows the text from before the command again, with a cursor, and restores the mode of the keys.
    package func end() {
        Self.write("\u{1B}[?25h\u{1B}[?1049l")
        var mode = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
    }

    /// The columns and the rows of the terminal, which may change at any time; 80 and 24 if it does not report them.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws a frame. Each line replaces the line of the last frame, so the screen does not flicker.
    package func draw(_ lines: [String]) {
        let text = lines.map { LogText.onTerminal($0, isLine: true) + "\u{1B}[K" }.joined(separator: "\r\n")
        Self.write("\u{1B}[H" + text + "\u{1B}[J")
    }

    /// Calls a function with each byte of the pressed keys, on the loop.
    package static func readKeys(on loop: EventLoop, _ take: @escaping @Sendable (UInt8) -> Void) {
        loop.execute {
            loop.watch(STDIN_FILENO, for: .readable) { _ in
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                // The terminal was closed, and would be ready to read forever.
                if count == 0 { loop.unwatch(STDIN_FILENO) }
                for byte in bytes.prefix(max(0, count)) { take(byte) }
            }
        }
    }

    private static func write(_ text: String) { try? FileSystem.write(Array(text.utf8)[...], to: STDOUT_FILENO) }
}
