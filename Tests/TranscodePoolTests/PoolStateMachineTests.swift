import Base
import Glibc
import LinuxIO
import NotificationModel
import Testing

@testable import TranscodePool

/// The tests of single races between replies, crashes, cancellations and new jobs.
struct PoolStateMachineTests {
    private let start = MonotonicInstant.now
    private let segfault = ProcessEnd.signalled(SIGSEGV)
    private var terms: TranscodeTerms { .test(deadline: start + .seconds(60)) }

    @Test func `a worker that has done its maximum number of jobs gets no other job`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.replied(1, 1, isSpent: true), at: start) == [.finish(1, .replied), .kill(1)])
        #expect(machine.handle(.ended(1, nil), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `a job starts a worker, and the next job on the same worker starts no worker`() {
        var machine = PoolStateMachine(size: 2)
        #expect(machine.handle(.submitted(1, terms), at: start) == [.start(1), .send(1, 1)])
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.send(2, 1)])
    }

    @Test func `a job without an idle worker waits, and waiting jobs keep their order`() {
        var machine = PoolStateMachine(size: 1)
        #expect(machine.handle(.submitted(1, terms), at: start) == [.start(1), .send(1, 1)])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.wake(start + .milliseconds(100))])
        #expect(machine.handle(.submitted(3, terms), at: start) == [])
        #expect(machine.waitingCount == 2)
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied), .send(2, 1)])
        #expect(machine.handle(.replied(1, 2), at: start) == [.finish(2, .replied), .send(3, 1)])
    }

    @Test func `warming jobs run on a separate worker`() {
        var machine = PoolStateMachine(size: 1)
        var warm = terms
        warm.flow.priority = MediaRank.warming
        #expect(machine.handle(.submitted(1, warm), at: start) == [.start(1, isForWarming: true), .send(1, 1)])
        #expect(machine.handle(.submitted(2, warm), at: start) == [.wake(start + .milliseconds(100))])
        #expect(machine.handle(.submitted(3, terms), at: start) == [.start(2), .send(3, 2)])
        #expect(machine.handle(.submitted(4, terms), at: start) == [])
        // A warming worker gets only warming jobs, and the other worker gets only other jobs.
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied), .send(2, 1)])
        #expect(machine.handle(.replied(2, 3), at: start) == [.finish(3, .replied), .send(4, 2)])
        // A warming worker that ends is replaced by another warming worker.
        #expect(machine.handle(.submitted(5, warm), at: start) == [])
        #expect(
            machine.handle(.replied(1, 2, isSpent: true), at: start) == [.finish(2, .replied), .kill(1)])
        #expect(machine.handle(.ended(1, nil), at: start) == [.start(3, isForWarming: true), .send(5, 3)])
    }

    @Test func `a notification does not wait for warming jobs`() {
        var machine = PoolStateMachine(size: 1)
        var warm = terms
        warm.flow.priority = MediaRank.warming
        warm.time = 1_000_000
        for job in 1...5 { _ = machine.handle(.submitted(JobID(job), warm), at: start) }
        #expect(machine.wait(for: terms, at: start) == .zero)
        #expect(machine.wait(for: warm, at: start) > .seconds(4))
    }

    @Test func `a warming job gets a higher priority if a notification waits for it`() {
        var machine = PoolStateMachine(size: 2)
        var warm = terms
        warm.flow.priority = MediaRank.warming
        _ = machine.handle(.submitted(1, warm), at: start)
        #expect(machine.handle(.submitted(2, warm), at: start) == [.wake(start + .milliseconds(100))])
        #expect(machine.handle(.submitted(3, warm), at: start) == [])
        #expect(machine.handle(.raised(3, MediaRank.standard), at: start) == [.start(2), .send(3, 2)])
        // A running job and a finished job do not change.
        #expect(machine.handle(.raised(1, MediaRank.standard), at: start) == [])
        #expect(machine.handle(.replied(2, 3), at: start) == [.finish(3, .replied)])
        #expect(machine.handle(.raised(3, MediaRank.standard), at: start) == [])
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied), .send(2, 1)])
    }

    @Test func `a reply before the cancellation finishes the job, and the worker survives`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
        #expect(machine.handle(.abandoned(1), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.send(2, 1)])
    }

    @Test func `a reply after the cancellation is ignored, and the worker is still killed`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.abandoned(1), at: start) == [.finish(1, .abandoned), .kill(1)])
        #expect(machine.handle(.replied(1, 1), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.wake(start + .milliseconds(100))])
        #expect(machine.handle(.ended(1, segfault), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `a job whose worker crashed before the cancellation ends as crashed`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.ended(1, segfault), at: start) == [.finish(1, .crashed(segfault, blamesFile: true))])
        #expect(machine.handle(.abandoned(1), at: start) == [])
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
    }

    @Test func `a crash after another job leads to a second try, and a second crash blocks the file`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        #expect(machine.handle(.submitted(2, terms), at: start) == [.send(2, 1)])
        #expect(machine.handle(.ended(1, segfault), at: start) == [.start(2), .send(2, 2)])
        #expect(machine.handle(.ended(2, segfault), at: start) == [.finish(2, .crashed(segfault, blamesFile: true))])
    }

    @Test func `a wrong reply of a worker that has finished an earlier job does not block the file`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(
            machine.handle(.replied(1, 1), at: start) == [.finish(2, .crashed(nil, blamesFile: false)), .kill(1)])
    }

    @Test func `a crash after the kill does not finish the job again`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.abandoned(1), at: start) == [.finish(1, .abandoned), .kill(1)])
        #expect(machine.handle(.abandoned(1), at: start) == [])
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
    }

    @Test func `a cancellation of a waiting job kills no worker`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.abandoned(2), at: start) == [.finish(2, .abandoned)])
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
        #expect(machine.waitingCount == 0)
    }

    @Test func `a worker that cannot be started fails one job`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.startFailed(1), at: start) == [.finish(1, .cannotStart), .start(2), .send(2, 2)])
        #expect(machine.handle(.startFailed(2), at: start) == [.finish(2, .cannotStart)])
        #expect(machine.handle(.submitted(3, terms), at: start) == [.start(3), .send(3, 3)])
    }

    @Test func `a job is finished as cancelled if the cancellation precedes the failed start of its worker`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        #expect(machine.handle(.abandoned(1), at: start) == [.finish(1, .abandoned), .kill(1)])
        #expect(machine.handle(.startFailed(1), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `an idle worker that ends is not replaced until the next job arrives`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `a reply to another worker's job fails the job of its sender, and the other job continues`() {
        var machine = PoolStateMachine(size: 2)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.submitted(2, terms), at: start)
        #expect(machine.handle(.replied(1, 2), at: start) == [.finish(1, .crashed(nil, blamesFile: true)), .kill(1)])
        #expect(machine.handle(.replied(1, 1), at: start) == [])
        #expect(machine.handle(.replied(2, 2), at: start) == [.finish(2, .replied)])
        #expect(machine.handle(.ended(1, segfault), at: start) == [])
    }

    @Test func `a worker that sends a message without a job is killed and gets no other job`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms), at: start)
        _ = machine.handle(.replied(1, 1), at: start)
        #expect(machine.handle(.replied(1, 1), at: start) == [.kill(1)])
        #expect(machine.handle(.submitted(2, terms), at: start) == [.wake(start + .milliseconds(100))])
        #expect(machine.handle(.ended(1, segfault), at: start) == [.start(2), .send(2, 2)])
    }

    @Test func `the messages and the end of an unknown worker have no effect`() {
        var machine = PoolStateMachine(size: 1)
        #expect(machine.handle(.replied(7, 1), at: start) == [])
        #expect(machine.handle(.ended(7, segfault), at: start) == [])
        #expect(machine.handle(.startFailed(7), at: start) == [])
        #expect(machine.handle(.abandoned(7), at: start) == [])
        #expect(machine.handle(.submitted(1, terms), at: start) == [.start(1), .send(1, 1)])
    }
}
