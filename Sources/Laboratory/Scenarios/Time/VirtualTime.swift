import Base
import CVirtualTime
import Foundation
import LinuxIO
import Synchronization

/// The virtual time of this process: while no thread of the process or of its workers can run, the clocks are advanced to
/// the next timer. Work takes its real time, and waits take none (docs/decisions/0022-virtual-time.md).
final class VirtualTime: Sendable {
    /// The pause between two looks at the threads, in microseconds. Waits that are shorter take their real time.
    private static let pause: UInt32 = 200

    private let isRunning = Atomic<Bool>(true)
    private let ended = AsyncEvent()

    /// Whether time can be virtual on this machine.
    static var isSupported: Bool { ProcessActivity.isSupported }

    /// Starts the thread that advances the clocks.
    static func start() -> VirtualTime {
        let time = VirtualTime()
        let thread = Thread { time.run() }
        thread.name = "agd-lab-time"
        thread.start()
        return time
    }

    /// Ends the thread. Afterwards the clocks go on at their real speed.
    func stop() async {
        isRunning.store(false, ordering: .relaxed)
        await ended.wait()
    }

    /// The real time since an instant of the real clock, which is not advanced.
    static var realNow: MonotonicInstant { .now - .nanoseconds(agd_clock_advance()) }

    private func run() {
        let own = agd_thread_number()
        while isRunning.load(ordering: .relaxed) {
            usleep(Self.pause)
            guard let first = ProcessActivity.sleepingThreads(except: own) else { continue }
            guard let next = EventLoop.nextWaitEnd, next > .now else { continue }
            guard ProcessActivity.sleepingThreads(except: own) == first else { continue }
            let rest = MonotonicInstant.now.duration(to: next)
            guard rest > .zero else { continue }
            agd_advance_clocks(rest.nanoseconds)
            EventLoop.lookAtTime()
        }
        ended.signal()
    }
}
