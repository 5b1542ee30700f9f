import CBlocks
import LinuxIO
import NotificationModel

/// What libcurl has given back is kept for the next transfers, small blocks by each thread and large ones for all. It is let
/// go of when a thread has had none for a while: of its own, and of the large ones, which the others then get anew. Lives on
/// that thread.
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

    /// Of what the calling thread has kept, and of what is kept for all.
    static func letGo() { agd_blocks_let_go() }

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
        if due <= .now { Self.letGo() } else { timer.set(at: due) }
    }
}
