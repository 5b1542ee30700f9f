import Glibc
package import Logging
import Synchronization

/// How lines are written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// Text on a terminal, JSON elsewhere.
    case auto
    case text
    case json
}

/// A format, made definite for the descriptor that it is written to.
package enum LogLayout: Sendable, Equatable {
    case text(colours: Bool)
    case json

    /// - Parameter environment: gives a variable of the environment. `NO_COLOR` with any text in it (no-color.org) and a
    ///   `TERM` that is `dumb` keep colours away, also from terminals.
    package init(
        _ format: LogFormat, isTerminal: Bool, environment: (String) -> String?
    ) {
        let wantsColours = (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
        switch format {
        case .auto where !isTerminal, .json: self = .json
        case .auto, .text: self = .text(colours: isTerminal && wantsColours)
        }
    }

    init(_ format: LogFormat, on descriptor: LogDescriptor) {
        self.init(format, isTerminal: isatty(descriptor.raw) == 1) { name in
            getenv(name).map { String(cString: $0) }
        }
    }
}

/// A descriptor that lines are written to; not owned.
package struct LogDescriptor: Sendable {
    package let raw: Int32

    package init(raw: Int32) { self.raw = raw }

    package static let standardError = LogDescriptor(raw: STDERR_FILENO)
}

/// The least severe level that is said, for all loggers that have no level of their own. Changed while they are in use.
package final class LogThreshold: Sendable {
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

    package var level: Logger.Level {
        get { Logger.Level.allCases[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}

/// A record as the bytes of one line, at most 16 KiB long.
package enum LogLine {
    /// With the line's end. What a pipe takes at once where it is empty, and far more than a person reads.
    package static let mostBytes = 16 << 10

    /// Texts longer than the line are cut before anything else is made of them; the others as little as it takes.
    private static let cuts = [(mostBytes, 512), (4_096, 64), (1_024, 32), (256, 16), (64, 8)]

    package static func bytes(of record: LogRecord, layout: LogLayout) -> [UInt8] {
        for (texts, lists) in cuts {
            let line = text(of: record.cut(textsTo: texts, listsTo: lists), layout)
            if line.utf8.count < mostBytes { return Array(line.utf8) + [UInt8(ascii: "\n")] }
        }
        // Nested lists of lists: what is left is the message.
        let rest = record.cut(textsTo: 256, listsTo: 0)
        return Array(text(of: rest, layout).utf8) + [UInt8(ascii: "\n")]
    }

    private static func text(of record: LogRecord, _ layout: LogLayout) -> String {
        switch layout {
        case .text(let colours): record.text(colours: colours)
        case .json: record.json
        }
    }
}
