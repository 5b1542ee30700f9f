import Base
import NotificationModel

/// The pace at which batches begin their lines while other requests arrive.
///
/// A batch without a pace keeps all processors busy, and a single request then takes about six times as long. Without
/// other requests, a batch has no pace.
final class BatchPace: Sendable {
    /// The number of lines that begin between two pauses, over all batches.
    private static let lines = 2
    private static let pause: Duration = .milliseconds(2)
    /// The time after the last other request for which batches keep the pace.
    private static let patience: Duration = .seconds(1)

    private let intake: any RequestIntake
    private let clock: any RequestClock
    /// The permit of the one line that begins or pauses.
    private let turn = AsyncSemaphore(permits: 1)
    private let count = Guarded(0)

    init(intake: any RequestIntake, clock: any RequestClock) {
        self.intake = intake
        self.clock = clock
    }

    /// Waits until the next line may begin.
    func wait() async {
        guard let last = intake.lastSingleRequest, last.duration(to: clock.now) < Self.patience,
            await turn.acquire()
        else { return }
        defer { turn.release() }
        let isLast = count.withLock { count in
            count = (count + 1) % Self.lines
            return count == 0
        }
        if isLast { await clock.sleep(until: clock.now.advanced(by: Self.pause)) }
    }
}
