import CBlocks
import LinuxIO
import NotificationModel

/// What libcurl has given back on a thread is kept for its next transfers, and let go of when there have been none for a
/// while. Lives on that thread.
final class LaneMemory {
    private static let quietTime = Duration.seconds(1)

    private var timer: EarliestTimer
    /// Transfers, or pairs that race.
    private var runs = 0
    private var lastUse = MonotonicInstant.now

    init(on loop: EventLoop) {
        timer = EarliestTimer(on: loop)
        timer.handler = { [unowned self] in look() }
    }

    func begin() { runs += 1 }

    func end() {
        runs -= 1
        noteUse()
    }

    /// Something was given back.
    func noteUse() {
        guard runs == 0 else { return }
        lastUse = .now
        timer.set(at: lastUse + Self.quietTime)
    }

    private func look() {
        timer.rang()
        guard runs == 0 else { return }
        let due = lastUse + Self.quietTime
        if due <= .now { agd_blocks_let_go() } else { timer.set(at: due) }
    }
}
