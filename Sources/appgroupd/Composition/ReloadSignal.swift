import Base
@preconcurrency import Dispatch
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

/// A receiver of SIGHUP, which calls a function on its own dispatch queue, one call after the other, until `end`.
///
/// A signal that comes before `begin` calls the function later, so that no change of the configuration during the start
/// is lost.
final class ReloadSignal: Sendable {
    private enum State {
        /// The function is not known yet.
        case waiting(hasArrived: Bool)
        case running(@Sendable () -> Void)
    }

    private let queue = DispatchQueue(label: "agd-reload")
    private let source: any DispatchSourceSignal
    private let state = Guarded(State.waiting(hasArrived: false))

    /// Returns when signals are received.
    init() async {
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        self.source = source
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.setEventHandler { [weak self] in self?.arrive() }
            source.activate()
        }
    }

    /// Calls the function after a signal, or notes the signal.
    private func arrive() {
        let reload: (@Sendable () -> Void)? = state.withLock { state in
            if case .running(let reload) = state { return reload }
            state = .waiting(hasArrived: true)
            return nil
        }
        reload?()
    }

    /// Calls a function after each signal from now on, and after a signal that has come before.
    func begin(_ reload: @escaping @Sendable () -> Void) {
        let hasArrived = state.withLock { state in
            defer { state = .running(reload) }
            if case .waiting(true) = state { return true }
            return false
        }
        if hasArrived { queue.async(execute: reload) }
    }

    func end() { source.cancel() }
}
