import Glibc
package import Logging
import Synchronization

/// The format of log lines, as the configuration names it.
package enum LogFormat: String, Sendable, CaseIterable {
    /// The format is text on a terminal, and JSON otherwise.
    case auto
    case text
    case json
}

/// The layout of lines for one destination, after `LogFormat.auto` has been resolved.
package enum LogLayout: Sendable, Equatable {
    case text(colors: Bool)
    case json
    /// Messages of systemd's journal.
    case journal

    /// Chooses the layout for a descriptor.
    ///
    /// - Parameter environment: A closure that returns an environment variable. Lines have no colors if `NO_COLOR` is
    ///   not empty (no-color.org) or `TERM` is `dumb`.
    package init(_ format: LogFormat, isTerminal: Bool, environment: (String) -> String?) {
        let wantsColors = (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
        switch format {
        case .auto where !isTerminal, .json: self = .json
        case .auto, .text: self = .text(colors: isTerminal && wantsColors)
        }
    }

    package init(_ format: LogFormat, on descriptor: Int32) {
        self.init(format, isTerminal: isatty(descriptor) == 1) { name in getenv(name).map { String(cString: $0) } }
    }
}

/// The least severe level that is logged, for all loggers without a separate level. It may change at any time.
package final class LogThreshold: Sendable {
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

    package var level: Logger.Level {
        get { Logger.Level.allCases[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}

/// The rendering of a record as the bytes of one line.
package enum LogLine {
    /// The maximum number of bytes of a line, with its line end. An empty pipe accepts them in one write.
    package static let maxBytes = 16 << 10

    /// The limits of texts, in bytes, and of lists, in elements. The first pair whose line is short enough is used.
    private static let cuts = [(maxBytes, 512), (4_096, 64), (1_024, 32), (256, 16), (64, 8)]

    package static func bytes(of record: LogRecord, layout: LogLayout) -> [UInt8] {
        for (texts, lists) in cuts {
            let line = line(of: record.cut(textsTo: texts, listsTo: lists), layout)
            if line.count <= (layout == .journal ? JournalMessage.maxBytes : maxBytes) { return line }
        }
        // The nested lists of the fields are still too long, so only the message is written.
        return line(of: record.cut(textsTo: 256, listsTo: 0), layout)
    }

    private static func line(of record: LogRecord, _ layout: LogLayout) -> [UInt8] {
        var line =
            switch layout {
            case .text(let colors): Array(record.text(colors: colors).utf8)
            case .json: record.json
            case .journal: JournalMessage.bytes(of: record)
            }
        if layout != .journal { line.append(UInt8(ascii: "\n")) }
        return line
    }
}
