import Base
import Logging

/// The lines of the log about refused calls. There is at most one line a second for each reason, with the number of the
/// calls since the last line, so that a caller cannot fill the log.
///
/// The first refusal is logged at once. Each line describes the first of its calls. Any thread may use the type.
final class RefusalLog: Sendable {
    /// The time between two lines with the same reason.
    private static let interval: Duration = .seconds(1)

    /// The refused calls with one reason since its last line.
    private struct Waiting {
        var count = 0
        /// The fields of the first call.
        var metadata: Logger.Metadata = [:]
    }

    private let logger: Logger
    private let clock: any RequestClock
    /// The reasons that had a line within the interval.
    private let waiting = Guarded<[Problem.Kind: Waiting]>([:])

    init(logger: Logger, clock: any RequestClock) {
        self.logger = logger
        self.clock = clock
    }

    /// Logs a refused call, or counts it for the next line.
    ///
    /// - Parameter metadata: A function that makes the fields of the call, which is called only if they are logged.
    func note(_ reason: Problem.Kind, metadata: () -> Logger.Metadata) {
        let isNow = waiting.withLock { waiting in
            guard waiting[reason] != nil else {
                waiting[reason] = Waiting()
                return true
            }
            if waiting[reason]?.count == 0 { waiting[reason]?.metadata = metadata() }
            waiting[reason]?.count += 1
            return false
        }
        guard isNow else { return }
        write(reason, Waiting(count: 1, metadata: metadata()))
        schedule(reason)
    }

    /// Logs the calls that wait for a line.
    func flush() {
        for reason in waiting.withLock({ Array($0.keys) }) { flush(reason) }
    }

    private func schedule(_ reason: Problem.Kind) {
        _ = clock.alarm(at: clock.now.advanced(by: Self.interval)) { [self] in
            if flush(reason) { schedule(reason) }
        }
    }

    /// - Returns: Whether a line was logged.
    @discardableResult
    private func flush(_ reason: Problem.Kind) -> Bool {
        let calls = waiting.withLock { waiting -> Waiting? in
            guard let calls = waiting[reason], calls.count > 0 else {
                waiting[reason] = nil
                return nil
            }
            waiting[reason] = Waiting()
            return calls
        }
        guard let calls else { return false }
        write(reason, calls)
        return true
    }

    private func write(_ reason: Problem.Kind, _ calls: Waiting) {
        var metadata = calls.metadata
        metadata["reason"] = .string(reason.rawValue)
        metadata["calls"] = .stringConvertible(calls.count)
        logger.info("refused", metadata: metadata)
    }
}
