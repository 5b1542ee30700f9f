import LinuxIO
package import Logging

/// The settings of all destinations of the log.
package struct LogSettings: Sendable {
    /// A file that is replaced by the next one when it is full.
    package struct File: Sendable {
        package var path: String
        package var level: Logger.Level
        /// The size, in bytes, at which the file is full.
        package var maxBytes: Int
        /// The number of files, with the one that is written.
        package var maxFiles: Int

        package init(_ path: String, level: Logger.Level, maxBytes: Int, maxFiles: Int) {
            self.path = path
            self.level = level
            self.maxBytes = maxBytes
            self.maxFiles = maxFiles
        }
    }

    /// The least severe level on standard error; `nil` if nothing is written there.
    package var console: Logger.Level?
    /// The format of lines on standard error and in the file.
    package var format: LogFormat
    /// The file; `nil` if no file is written.
    package var file: File?
    /// The least severe level in systemd's journal; `nil` if the journal gets no messages.
    package var journal: Logger.Level?

    package init(
        console: Logger.Level?, format: LogFormat, file: File? = nil, journal: Logger.Level? = nil
    ) {
        self.console = console
        self.format = format
        self.file = file
        self.journal = journal
    }
}

/// The error of a destination that cannot be used: the key of the configuration, and the reason.
package struct LogDestinationError: Error, CustomStringConvertible {
    package let description: String
}

/// A destination of log lines, with its own least severe level and its own thread. A destination that blocks delays no
/// other destination.
package struct LogDestination: Sendable {
    enum Kind: String { case console, file, journal }

    let kind: Kind
    let layout: LogLayout
    let threshold: LogThreshold
    let output: LogOutput
    /// The file; `nil` for all other destinations.
    var file: RotatingFile?

    init(_ kind: Kind, _ layout: LogLayout, _ level: Logger.Level, to sink: any LogSink) throws(SystemError) {
        self.kind = kind
        self.layout = layout
        threshold = LogThreshold(level)
        output = try LogOutput(to: sink, layout: layout)
    }

    /// Opens the destinations of the settings, in the order console, file, journal.
    ///
    /// - Parameter console: The descriptor of standard error.
    /// - Parameter journal: The path of the journal's socket.
    static func all(
        _ settings: LogSettings, console: Int32, journal: String = JournalSink.path
    ) throws(LogDestinationError) -> [LogDestination] {
        var all: [LogDestination] = []
        do {
            if let level = settings.console {
                let layout = LogLayout(settings.format, on: console)
                all.append(try LogDestination(.console, layout, level, to: DescriptorSink(descriptor: console)))
            }
            if let file = settings.file {
                let layout = LogLayout(settings.format, isTerminal: false) { _ in nil }
                let sink = try rotatingFile(file)
                var destination = try LogDestination(.file, layout, file.level, to: sink)
                destination.file = sink
                all.append(destination)
            }
            if let level = settings.journal {
                all.append(try LogDestination(.journal, .journal, level, to: try journalSink(journal)))
            }
        } catch let error as LogDestinationError {
            throw error
        } catch {
            throw LogDestinationError(description: "the thread of the log cannot be started: \(error)")
        }
        return all
    }

    private static func rotatingFile(_ file: LogSettings.File) throws(LogDestinationError) -> RotatingFile {
        do throws(RotatingFile.Failure) {
            return try RotatingFile(file.path, maxBytes: file.maxBytes, maxFiles: file.maxFiles)
        } catch {
            throw LogDestinationError(
                description: "log.file: \(error): name a file in a directory that this user can write to")
        }
    }

    private static func journalSink(_ path: String) throws(LogDestinationError) -> JournalSink {
        do throws(SystemError) { return try JournalSink(path: path) } catch {
            throw LogDestinationError(
                description: "log.journal: no journal listens (\(error)): start systemd-journald, or set it to false")
        }
    }
}
