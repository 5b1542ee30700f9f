import Base
import FeatureKit
import NotificationModel

/// The progress of a batch on standard error: one line on a terminal, and a line every five seconds elsewhere.
struct BatchProgress {
    private static let plainInterval: Duration = .seconds(5)
    private static let lineInterval: Duration = .milliseconds(100)

    private let start = MonotonicInstant.now
    private var last = MonotonicInstant.now
    private var line = StatusLine()
    private var lines = 0
    private var errors = 0
    private var isComplete = false

    mutating func take(_ text: String) {
        if text.hasPrefix("{\"summary\":") || text.hasPrefix("{\"plan\":") {
            isComplete = !text.contains("\"complete\":false")
            return
        }
        lines += 1
        if text.contains("\"error\":{\"type\":\"/problems/") { errors += 1 }
        let interval = StatusLine.isShown ? Self.lineInterval : Self.plainInterval
        guard Verbosity.current != .quiet, last + interval <= .now else { return }
        last = .now
        if StatusLine.isShown { line.show(words) } else { StandardStreams.warn(words) }
    }

    private var words: String {
        let seconds = max(0.001, start.duration(to: .now).seconds)
        let failed = errors > 0 ? ", \(HumanText.counted(errors, "error"))" : ""
        return "\(HumanText.counted(lines, "result"))\(failed), \(Int(Double(lines) / seconds))/s"
    }

    /// Ends the display, and returns whether each line has a result.
    mutating func end() -> Bool {
        line.clear()
        if Verbosity.current != .quiet { StandardStreams.warn(words) }
        if !isComplete { StandardStreams.warn("the daemon ended before the batch: send the file again") }
        return isComplete && errors == 0
    }
}
