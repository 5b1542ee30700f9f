import Glibc

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
