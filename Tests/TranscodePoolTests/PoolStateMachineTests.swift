import Glibc
import LinuxIO
import NotificationModel
import Testing
import TranscodePool

/// The races, one by one.
struct PoolStateMachineTests {
    private let start = MonotonicInstant.now
    private let segfault = ProcessEnd.signalled(SIGSEGV)
    private var terms: TranscodeTerms { .test(deadline: start + .seconds(60)) }

    @Test func `a worker that has done its share gets no other job`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.replied(1, 1, isSpent: true), at: start) == [.finish(1, .replied), .kill(1)])
        #expect(machine.handle(.ended(1, nil), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `a job starts a worker, the next one on the same worker needs none`() {
        var machine = PoolStateMachine(size: 2)
        #expect(machine.handle(.submitted(1, terms), at: start) == [.start(1), .send(1, 1)])
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.send(2, 1)])
    }

    @Test func `jobs past the workers wait, and go in their order`() {
        var machine = PoolStateMachine(size: 1)
        #expect(machine.handle(.submitted(1, terms), at: start) == [.start(1), .send(1, 1)])
        // If the first job is still running by then, it is a long one.
        #expect(machine.handle(.submitted(2, terms), at: start) == [.wake(start + .seconds(1))])
        #expect(machine.handle(.submitted(3, terms), at: start) == [])
        #expect(machine.waitingCount == 2)
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied), .send(2, 1)])
        #expect(machine.handle(.replied(1, 2), at: start) == [.finish(2, .replied), .send(3, 1)])
    }

    @Test func `warming has a worker of its own`() {
        var machine = PoolStateMachine(size: 1)
        var warm = terms
        warm.flow.priority = MediaRank.warming
        #expect(machine.handle(.submitted(1, warm), at: start) == [.start(1), .send(1, 1)])
        #expect(machine.handle(.submitted(2, warm), at: start) == [])
        #expect(machine.handle(.submitted(3, terms), at: start) == [.start(2), .send(3, 2)])
        #expect(machine.handle(.submitted(4, terms), at: start) == [.wake(start + .seconds(1))])
        #expect(machine.isForWarming(1) && !machine.isForWarming(2))
        // Each worker stays at its kind of work.
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied), .send(2, 1)])
        #expect(machine.handle(.replied(2, 3), at: start) == [.finish(3, .replied), .send(4, 2)])
        // A worker that ends is replaced by one of its kind.
        #expect(machine.handle(.submitted(5, warm), at: start) == [])
        #expect(
            machine.handle(.replied(1, 2, isSpent: true), at: start) == [.finish(2, .replied), .kill(1)])
        #expect(machine.handle(.ended(1, nil), at: start) == [.start(3), .send(5, 3)])
        #expect(machine.isForWarming(3) && !machine.isForWarming(1))
    }

    @Test func `a notification does not wait for what is warmed`() {
        var machine = PoolStateMachine(size: 1)
        var warm = terms
        warm.flow.priority = MediaRank.warming
        warm.cost = 1_000_000
        for job in 1...5 { _ = machine.handle(.submitted(JobID(job), warm), at: start) }
        #expect(machine.wait(for: terms, at: start) == .zero)
        #expect(machine.wait(for: warm, at: start) > .seconds(4))
    }

    @Test func `a job that warms is raised by a notification that waits for it`() {
        var machine = PoolStateMachine(size: 2)
        var warm = terms
        warm.flow.priority = MediaRank.warming
        _ = machine.handle(.submitted(1, warm), at: start)
        #expect(machine.handle(.submitted(2, warm), at: start) == [])
        #expect(machine.handle(.submitted(3, warm), at: start) == [])
        #expect(machine.handle(.raised(3, MediaRank.standard), at: start) == [.start(2), .send(3, 2)])
        // A job that runs, and one that has ended, are left as they are.
        #expect(machine.handle(.raised(1, MediaRank.standard), at: start) == [])
        #expect(machine.handle(.replied(2, 3), at: start) == [.finish(3, .replied)])
        #expect(machine.handle(.raised(3, MediaRank.standard), at: start) == [])
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied), .send(2, 1)])
    }

    @Test func `a reply before the cancel counts, and the worker lives`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
        #expect(machine.handle(.abandoned(1, isFinal: false), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.send(2, 1)])
    }

    @Test func `a reply after the cancel is nobody's, and the worker dies all the same`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.abandoned(1, isFinal: false), at: start) == [.finish(1, .abandoned), .kill(1)])
        #expect(machine.handle(.replied(1, 1), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [])
        #expect(machine.handle(.ended(1, segfault), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `a crash before the cancel is a crash`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.ended(1, segfault), at: start) == [.finish(1, .crashed(segfault, blamesFile: true))])
        #expect(machine.handle(.abandoned(1, isFinal: false), at: start) == [])
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
    }

    @Test func `a fault of a worker that has ended another job is tried again, and blames the file then only`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        #expect(machine.handle(.submitted(2, terms), at: start) == [.send(2, 1)])
        #expect(machine.handle(.ended(1, segfault), at: start) == [.start(2), .send(2, 2)])
        #expect(machine.handle(.ended(2, segfault), at: start) == [.finish(2, .crashed(segfault, blamesFile: true))])
    }

    @Test func `a worker that has ended a job and then answers another's blames no file`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(
            machine.handle(.replied(1, 1), at: start) == [.finish(2, .crashed(nil, blamesFile: false)), .kill(1)])
    }

    @Test func `a job that is withdrawn is nobody's, and its worker gets the next one`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.withdrawn(1, 1), at: start) == [.send(2, 1)])
        #expect(machine.handle(.withdrawn(1, 1), at: start) == [])
        #expect(machine.handle(.ended(1, segfault), at: start) == [.finish(2, .crashed(segfault, blamesFile: true))])
    }

    @Test func `a crash after the kill finishes nothing again`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.abandoned(1, isFinal: false), at: start) == [.finish(1, .abandoned), .kill(1)])
        #expect(machine.handle(.abandoned(1, isFinal: false), at: start) == [])
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
    }

    @Test func `a job that waits is cancelled without a kill`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.abandoned(2, isFinal: false), at: start) == [.finish(2, .abandoned)])
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
        #expect(machine.waitingCount == 0)
    }

    @Test func `a worker that cannot be started costs one job`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.startFailed(1), at: start) == [.finish(1, .cannotStart), .start(2), .send(2, 2)])
        #expect(machine.handle(.startFailed(2), at: start) == [.finish(2, .cannotStart)])
        #expect(machine.handle(.submitted(3, terms), at: start) == [.start(3), .send(3, 3)])
    }

    @Test func `a cancel before the failed start finishes the job as cancelled`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.abandoned(1, isFinal: false), at: start) == [.finish(1, .abandoned), .kill(1)])
        #expect(machine.handle(.startFailed(1), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `a worker that ends at rest is replaced when a job comes, not before`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `a worker that answers another's job loses its own, and the other goes on`() {
        var machine = PoolStateMachine(size: 2)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.replied(1, 2), at: start) == [.finish(1, .crashed(nil, blamesFile: true)), .kill(1)])
        #expect(machine.handle(.replied(1, 1), at: start) == [])
        #expect(machine.handle(.replied(2, 2), at: start) == [.finish(2, .replied)])
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
    }

    @Test func `a worker that speaks unasked is killed, and gets no job in between`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        #expect(machine.handle(.replied(1, 1), at: start) == [.kill(1)])
        #expect(machine.handle(.submitted(2, terms), at: start) == [])
        #expect(machine.handle(.ended(1, segfault), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `words and ends of workers that are none change nothing`() {
        var machine = PoolStateMachine(size: 1)
        #expect(machine.handle(.replied(7, 1), at: start) == [])
        #expect(machine.handle(.ended(7, segfault), at: start) == [])
        #expect(machine.handle(.startFailed(7), at: start) == [])
        #expect(machine.handle(.abandoned(7, isFinal: false), at: start) == [])
        #expect(machine.handle(.submitted(1, terms), at: start) == [.start(1), .send(1, 1)])
    }
}
