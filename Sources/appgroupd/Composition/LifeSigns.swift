import Base
import LinuxIO
import Logging

/// The reports of a running daemon to the service manager: its state in words, and the messages for its watchdog.
///
/// The watchdog gets a message only if each essential thread has answered since the last one. A daemon whose journal or
/// network hangs is thus ended and started again, although other threads still run. The cooperative pool needs no
/// question, because this type runs on it.
struct LifeSigns: Sendable {
    /// A thread without which the daemon does not work.
    struct Part: Sendable {
        let name: String
        /// Returns when the thread has run a task.
        let answer: @Sendable () async -> Void
    }

    /// The time between two reports without a watchdog, and the longest time with one.
    static let maxPause: Duration = .seconds(10)

    let notifier: ServiceNotifier
    /// The interval in which the manager wants a message; `nil` without a watchdog.
    let watchdog: Duration?
    let parts: [Part]
    /// Returns the state of the daemon in words, for `systemctl status`.
    let status: @Sendable () -> String
    let clock: any RequestClock
    let logger: Logger

    /// Reports until the task is cancelled. Four reports fit into the interval of the watchdog, so that a short delay has
    /// no effect.
    func run() async {
        // A service that returns would end the daemon.
        guard notifier.hasManager else { return await AsyncEvent().wait() }
        let pause = min(watchdog.map { $0 / 4 } ?? Self.maxPause, Self.maxPause)
        let waiting = Waiting()
        var silent: Set<String> = []
        var lastStatus = ""
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for part in parts where waiting.names.withLock({ $0.insert(part.name).inserted }) {
                    group.addTask {
                        await part.answer()
                        waiting.names.withLock { _ = $0.remove(part.name) }
                    }
                }
                await clock.sleep(until: clock.now.advanced(by: pause))
                guard !Task.isCancelled else { break }
                let missing = waiting.names.withLock { $0 }
                log(missing, since: silent)
                silent = missing
                let status = status()
                report(isAlive: missing.isEmpty, status == lastStatus ? nil : status)
                lastStatus = status
            }
        }
    }

    private func report(isAlive: Bool, _ status: String?) {
        do throws(SystemError) {
            if watchdog != nil, isAlive {
                try notifier.alive(status: status)
            } else if let status {
                try notifier.status(status)
            }
        } catch {
            logger.debug("the service manager cannot be notified", metadata: ["error": "\(error)"])
        }
    }

    private func log(_ missing: Set<String>, since silent: Set<String>) {
        for name in missing.subtracting(silent).sorted() {
            logger.error(
                "a thread does not answer: the watchdog of the service manager gets no message until it does",
                metadata: ["thread": "\(name)"])
        }
        for name in silent.subtracting(missing).sorted() {
            logger.notice("the thread answers again", metadata: ["thread": "\(name)"])
        }
    }
}

/// The names of the parts that have not answered yet.
private final class Waiting: Sendable {
    let names = Guarded<Set<String>>([])
}
