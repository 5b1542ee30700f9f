import Base
import Dispatch
import Glibc
import Logging
import ServiceConfiguration
import Telemetry

extension Configuration.Log.Level {
    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

extension LogSettings {
    /// The destinations of the log of a configuration.
    init(_ log: Configuration.Log) {
        self.init(
            console: log.console ? log.level.level : nil, format: LogFormat(rawValue: log.format.rawValue) ?? .auto,
            file: log.file.map { path in
                File(path, level: log.fileLevel.level, maxBytes: log.fileBytes, maxFiles: log.fileCount)
            }, journal: log.journal ? log.journalLevel.level : nil)
    }
}

/// A recipient of SIGHUP, which calls a function on its own dispatch queue, one call after the other, until `end`.
struct ReloadSignal {
    private let source: any DispatchSourceSignal

    init(_ reload: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "agd-reload"))
        source.setEventHandler(handler: reload)
        source.activate()
    }

    func end() { source.cancel() }
}
