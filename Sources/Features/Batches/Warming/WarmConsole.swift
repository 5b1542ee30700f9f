import Base
import FeatureKit
import NotificationModel

/// The display of a batch's progress on standard error.
struct WarmConsole {
    /// The maximum number of failures that are displayed. The summary counts all failures.
    private static let maxFailures = 20
    private static let plainInterval: Duration = .seconds(5)
    private static let eventInterval: Duration = .seconds(1)
    /// The shortest time between two updates of the bar, for at most ten updates a second.
    private static let barInterval: Duration = .milliseconds(100)

    let mode: ProgressMode
    private var line = StatusLine()
    private var failures = 0
    private var last = MonotonicInstant.now
    private var progress = WarmProgress()

    /// - Parameter mode: The form of the display. If it is `nil`, a quiet command has no display, and any other command
    ///   has a bar on a terminal, and plain lines elsewhere.
    init(_ mode: ProgressMode?) {
        self.mode = mode ?? (Verbosity.current == .quiet ? .none : StatusLine.isShown ? .bar : .plain)
    }

    mutating func show(_ event: WarmEvent) {
        if mode == .json { return showJSON(event) }
        switch event {
        case .progress(let progress):
            self.progress = progress
            showProgress()
        case .ended(let record): record.result == .failed ? showFailure(record) : showEnd(record)
        case .slowed(let host, let pause):
            guard mode == .plain else { return }
            let who = host.isEmpty ? "this machine is overloaded" : "\(VisibleText.of(host)) refuses requests"
            StandardStreams.warn("\(who): the next try is in \(HumanText.duration(pause))")
        }
    }

    /// Removes the bar, so that the summary begins on an empty line.
    mutating func end() { line.clear() }

    private mutating func showProgress() {
        let interval = mode == .bar ? Self.barInterval : Self.plainInterval
        guard mode != .none, last + interval <= .now else { return }
        last = .now
        let bar = ProgressBar(progress: progress)
        if mode == .plain { StandardStreams.warn(bar.text) } else { line.show(bar.line(width: StatusLine.columns)) }
    }

    private mutating func showEnd(_ record: WarmRecord) {
        guard Verbosity.current == .verbose else { return }
        line.clear()
        StandardStreams.detail("\(VisibleText.of(record.name)): \(record.result.rawValue), \(record.milliseconds) ms")
    }

    private mutating func showFailure(_ record: WarmRecord) {
        failures += 1
        guard failures <= Self.maxFailures + 1 else { return }
        line.clear()
        guard failures <= Self.maxFailures else {
            return StandardStreams.warn(
                "further failures are counted in the summary, and the first 1,000 are listed by --report")
        }
        let reason = record.reason?.rawValue ?? ""
        StandardStreams.warn("\(VisibleText.of(record.name)): \(reason): \(VisibleText.of(record.detail ?? ""))")
    }

    private mutating func showJSON(_ event: WarmEvent) {
        let json: JSONValue
        switch event {
        case .progress(let progress):
            guard last + Self.eventInterval <= .now else { return }
            last = .now
            json = progress.json
        case .ended(let record):
            let members = (record.json.object?.members ?? []).map { ($0.key, $0.value) }
            json = .object(JSONObject([("event", "item")] + members))
        case .slowed(let host, let pause):
            json = ["event": "slowed", "host": .string(host), "seconds": .number(pause.seconds)]
        }
        StandardStreams.error(JSONWriter.text(of: json))
    }
}

extension WarmProgress {
    fileprivate var json: JSONValue {
        [
            "event": "progress", "done": .number(done), "failed": .number(failed), "running": .number(running),
            "total": total.map { .number($0) } ?? .null, "bytes": .number(bytes),
            "rate": .number(rate.roundedToTenths),
            "secondsLeft": remaining.map { .number(Int($0.seconds.rounded())) } ?? .null,
            "slowestHost": .text(slowestHost),
        ]
    }
}
