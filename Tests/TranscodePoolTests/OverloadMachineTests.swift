import Base
import Glibc
import LinuxIO
import NotificationModel
import Testing

@testable import TranscodePool

/// The tests of the machine's decisions when there is more work than time.
struct OverloadMachineTests {
    private let start = MonotonicInstant.now

    private func terms(
        _ host: String = "a.example", milliseconds: Int, time: Double = 0, least: Double = 0
    ) -> TranscodeTerms {
        .test(host: host, deadline: start + .milliseconds(milliseconds), time: time, minTime: least)
    }

    // MARK: Jobs that cannot end

    @Test func `a job without enough time is not started, and the next job is started`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms(milliseconds: 1_000)), at: start)
        _ = machine.handle(.submitted(2, terms(milliseconds: 520, time: 60_000, least: 30_000)), at: start)
        _ = machine.handle(.submitted(3, terms(milliseconds: 900, time: 60_000, least: 30_000)), at: start)
        #expect(
            machine.handle(.replied(1, 1), at: start + .milliseconds(500))
                == [.finish(1, .replied), .finish(2, .overloaded), .send(3, 1)])
    }

    @Test func `a job is started if there is time for its cheapest rendition`() {
        for (least, action) in [(40_000, .send(2, 2)), (80_000, .finish(2, .overloaded))]
            as [(Double, PoolStateMachine.Action)]
        {
            var machine = PoolStateMachine(size: 2)
            _ = machine.handle(.submitted(1, terms(milliseconds: 1_000)), at: start)
            let job = terms(milliseconds: 100, time: 90_000, least: least)
            #expect(machine.handle(.submitted(2, job), at: start + .milliseconds(50)).last == action)
        }
    }

    @Test func `a pool without work starts a job even if the estimated time is too long`() {
        var machine = PoolStateMachine(size: 1)
        let job = terms(milliseconds: 100, time: 90_000_000, least: 40_000_000)
        #expect(machine.handle(.submitted(1, job), at: start) == [.start(1), .send(1, 1)])
    }

    // MARK: Workers that end

    @Test func `a job whose worker ends without a fault is tried at most twice`() {
        var machine = PoolStateMachine(size: 1)
        let end = ProcessEnd.signalled(SIGKILL)
        _ = machine.handle(.submitted(1, terms(milliseconds: 1_000)), at: start)
        #expect(machine.handle(.ended(1, end), at: start) == [.start(2), .send(1, 2)])
        #expect(machine.handle(.ended(2, end), at: start) == [.finish(1, .crashed(end, blamesFile: false))])
    }

    @Test func `a job whose worker ends without time for another worker fails as overloaded`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms(milliseconds: 100, time: 60_000, least: 30_000)), at: start)
        #expect(
            machine.handle(.ended(1, .exited(status: 1)), at: start + .milliseconds(80)) == [.finish(1, .overloaded)])
    }

    @Test(
        arguments: [
            .signalled(SIGSEGV), .signalled(SIGBUS), .signalled(SIGILL), .signalled(SIGABRT), .signalled(SIGSYS),
            .signalled(SIGXCPU), .violated(call: "openat"), nil,
        ] as [ProcessEnd?])
    func `a job whose worker crashed or sent an untrustworthy message is not tried again`(end: ProcessEnd?) {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms(milliseconds: 1_000)), at: start)
        #expect(machine.handle(.ended(1, end), at: start) == [.finish(1, .crashed(end, blamesFile: true))])
    }

    @Test func `a worker that ends repeatedly is started four times at once, then ten times a second`() throws {
        var machine = PoolStateMachine(size: 1)
        var now = start
        var starts = 0
        var lastWorker: WorkerID = 0
        for job in 1...100 as ClosedRange<JobID> {
            var actions = machine.handle(.submitted(job, terms(milliseconds: 60_000)), at: now)
            if case .wake(let instant)? = actions.last {
                now = instant
                actions = machine.handle(.woken, at: now)
            }
            lastWorker += 1
            #expect(actions == [.start(lastWorker), .send(job, lastWorker)])
            starts += 1
            _ = machine.handle(.ended(lastWorker, .signalled(SIGSEGV)), at: now)
        }
        let seconds = start.duration(to: now).seconds
        #expect(starts == 100 && abs(seconds - 9.6) < 0.1)
    }

    @Test func `a pool requests one timer wake at a time, and no wake when a worker becomes idle`() {
        var machine = PoolStateMachine(size: 1)
        let job = terms(milliseconds: 60_000)
        #expect(machine.handle(.submitted(1, job), at: start) == [.start(1), .send(1, 1)])
        #expect(machine.handle(.submitted(2, job), at: start) == [wake(after: start)])
        #expect(machine.handle(.submitted(3, job), at: start) == [])
        let later = start + .milliseconds(100)
        #expect(machine.handle(.woken, at: later) == [wake(after: later)])
        #expect(machine.handle(.replied(1, 1), at: later) == [.finish(1, .replied), .send(2, 1)])
        #expect(machine.handle(.replied(1, 2), at: later) == [.finish(2, .replied), .send(3, 1)])
        #expect(machine.handle(.woken, at: later) == [])
    }

    private func wake(after instant: MonotonicInstant) -> PoolStateMachine.Action {
        .wake(instant + .milliseconds(100))
    }

    // MARK: Long and short jobs

    /// Returns a machine whose workers run jobs of 30 s.
    private func encoding(size: Int = 2) -> PoolStateMachine {
        var machine = PoolStateMachine(size: size)
        for job in 1...JobID(size) {
            _ = machine.handle(.submitted(job, terms(milliseconds: 60_000, time: 30e6, least: 60_000)), at: start)
        }
        return machine
    }

    @Test func `an additional worker runs short jobs sequentially while all other workers run long jobs`() {
        var machine = encoding()
        let image = terms("b.example", milliseconds: 8_000, time: 60_000, least: 30_000)
        #expect(machine.admit(3, image, at: start) == nil)
        #expect(machine.handle(.submitted(3, image), at: start) == [.start(3), .send(3, 3)])
        #expect(machine.wait(for: image, at: start) == .milliseconds(60))
        #expect(machine.handle(.submitted(4, image), at: start) == [wake(after: start)])
        #expect(machine.wait(for: image, at: start) == .milliseconds(120))
        #expect(machine.handle(.replied(3, 3), at: start) == [.finish(3, .replied), .send(4, 3)])
        #expect(machine.handle(.replied(3, 4), at: start) == [.finish(4, .replied)])
    }

    @Test func `a long job does not get the worker for short jobs, and gets the next other worker`() {
        var machine = encoding()
        let video = terms(milliseconds: 60_000, time: 30e6, least: 60_000)
        let image = terms("b.example", milliseconds: 8_000, time: 60_000, least: 30_000)
        #expect(machine.handle(.submitted(3, video), at: start) == [wake(after: start)])
        #expect(machine.handle(.submitted(4, image), at: start) == [.start(3), .send(4, 3)])
        #expect(machine.handle(.replied(3, 4), at: start) == [.finish(4, .replied)])
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied), .send(3, 1)])
    }

    @Test func `a waiting video is replaced by its still image at the instant when its time becomes too short`() {
        var machine = encoding()
        let video = terms(milliseconds: 40_000, time: 30e6, least: 60_000)
        #expect(machine.handle(.submitted(3, video), at: start) == [wake(after: start)])
        let late = start + .milliseconds(10_001)
        #expect(machine.handle(.woken, at: late - .milliseconds(2)) == [wake(after: late - .milliseconds(2))])
        #expect(machine.handle(.woken, at: late) == [.start(3), .send(3, 3)])
    }

    @Test func `a waiting image with a second left fails as overloaded if its cheapest rendition takes longer`() {
        var machine = encoding()
        let image = terms(milliseconds: 4_000, time: 3e6, least: 2e6)
        let late = start + .milliseconds(3_001)
        #expect(machine.handle(.submitted(3, image), at: start) == [wake(after: start)])
        // There is not enough time for the least rendition of the image.
        #expect(machine.handle(.woken, at: late) == [.finish(3, .overloaded)])
    }

    @Test func `a waiting job is not given to an idle worker during the shutdown`() {
        var machine = encoding()
        let image = terms("b.example", milliseconds: 8_000, time: 60_000, least: 30_000)
        _ = machine.handle(.submitted(3, image), at: start)
        _ = machine.handle(.replied(3, 3), at: start)
        _ = machine.handle(.submitted(4, terms(milliseconds: 60_000, time: 2e6)), at: start)
        let actions = machine.handle(.shutDown, at: start)
        #expect(actions.first == .finish(4, .abandoned))
        for running in 1...2 as ClosedRange<UInt32> {
            #expect(actions.contains(.finish(running, .abandoned)) && actions.contains(.kill(running)))
        }
        #expect(actions.count == 5)
        #expect(machine.handle(.ended(1, nil), at: start) == [])
    }

    @Test func `an additional worker is not started while one of the workers runs a short job`() {
        var machine = encoding(size: 1)
        let image = terms("b.example", milliseconds: 8_000, time: 60_000, least: 30_000)
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
        #expect(machine.handle(.submitted(2, image), at: start) == [.send(2, 1)])
        #expect(machine.handle(.submitted(3, image), at: start) == [wake(after: start)])
        #expect(machine.handle(.replied(1, 2), at: start) == [.finish(2, .replied), .send(3, 1)])
    }

    @Test func `after one second, a job of unknown cost counts as a long job, and a short job gets another worker`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(.submitted(1, terms(milliseconds: 60_000)), at: start)
        let image = terms("b.example", milliseconds: 8_000, time: 60_000, least: 30_000)
        let late = start + .seconds(1)
        let early = start + .milliseconds(500)
        #expect(machine.handle(.submitted(2, image), at: early) == [wake(after: early)])
        #expect(machine.handle(.woken, at: late) == [.start(2), .send(2, 2)])
    }

    @Test func `a pool refuses short jobs without enough time while all workers run long jobs`() {
        var machine = encoding()
        let image = terms("b.example", milliseconds: 1_000, time: 60_000, least: 30_000)
        let admitted = (10..<100).count { machine.admit($0, image, at: start) == nil }
        // A second has room for 16 images of 60 ms. The factor for the errors of the estimates reduces the number by up
        // to a fifth.
        #expect((12...16).contains(admitted))
    }

    @Test(arguments: [0, 1])
    func `the estimated wait of an image includes no video, with another image ready or downloading`(ready: Int) {
        var machine = PoolStateMachine(size: 2)
        let image = terms("b.example", milliseconds: 8_000, time: 60_000, least: 30_000)
        _ = machine.handle(
            .submitted(1, terms(milliseconds: 60_000, time: 30e6, least: 60_000)), at: start)
        #expect(machine.admit(2, image, at: start) == nil)
        if ready == 1 { _ = machine.handle(.submitted(2, image), at: start) }
        #expect(machine.wait(for: image, at: start) == .milliseconds(60))
    }

    @Test func `a short job that has run for more than a second counts as a long job in the estimated wait`() {
        var machine = encoding(size: 1)
        let image = terms("b.example", milliseconds: 60_000, time: 60_000, least: 30_000)
        _ = machine.handle(.submitted(2, image), at: start)
        let late = start + .seconds(1)
        #expect(machine.wait(for: image, at: late) >= .seconds(29))
    }

    @Test func `the worker for short jobs takes any job when another worker is killed`() {
        var machine = encoding(size: 1)
        let image = terms("b.example", milliseconds: 8_000, time: 60_000, least: 30_000)
        let video = terms(milliseconds: 60_000, time: 30e6, least: 60_000)
        _ = machine.handle(.submitted(2, image), at: start)
        _ = machine.handle(.replied(2, 2), at: start)
        _ = machine.handle(.submitted(3, video), at: start)
        #expect(
            machine.handle(.abandoned(1), at: start) == [.finish(1, .abandoned), .kill(1), .send(3, 2)])
    }

    // MARK: Admission

    /// Returns a machine with a backlog of jobs of one host, with 60 ms each. Each worker runs one job, and the others
    /// wait.
    private func loaded(size: Int = 2, jobs: Int) -> PoolStateMachine {
        var machine = PoolStateMachine(size: size)
        for job in 1..<JobID(jobs + 1) {
            _ = machine.handle(.submitted(job, terms(milliseconds: 8_000, time: 60_000, least: 30_000)), at: start)
        }
        return machine
    }

    /// Two workers have room for about 200 jobs of 60 ms in 8 s. The number includes the factor of 1.25 for the errors
    /// of the estimates.
    @Test(arguments: [(0, true), (50, true), (190, true), (230, false), (2_000, false)])
    func `a media item is admitted if enough time is left after the work that is queued before it`(
        jobs: Int, isAdmitted: Bool
    ) {
        var machine = loaded(jobs: jobs)
        let job = terms(milliseconds: 8_000, time: 60_000, least: 30_000)
        #expect((machine.admit(9_999, job, at: start) == nil) == isAdmitted)
        #expect(machine.queue.isReserved(9_999) == isAdmitted)
    }

    @Test func `a small image of one host is admitted despite the backlog of another host`() {
        var machine = loaded(jobs: 2_000)
        #expect(machine.admit(9_999, terms("b.example", milliseconds: 1_000, time: 5_000), at: start) == nil)
        #expect(machine.admit(9_998, terms(milliseconds: 8_000, time: 60_000), at: start) != nil)
    }

    @Test func `a reservation counts as work until it is released`() {
        var machine = PoolStateMachine(size: 2)
        var admitted: [JobID] = []
        for job in 1...1_000 as ClosedRange<JobID>
        where machine.admit(job, terms(milliseconds: 8_000, time: 60_000), at: start) == nil {
            admitted.append(job)
        }
        #expect((150...266).contains(admitted.count))
        for job in admitted { machine.release(job) }
        #expect(machine.admit(2_000, terms(milliseconds: 8_000, time: 60_000), at: start) == nil)
    }

    @Test func `reservations of stalled downloads do not block other media in an idle pool`() {
        var machine = PoolStateMachine(size: 2)
        for job in 1...400 as ClosedRange<JobID> {
            _ = machine.admit(job, terms("stalled\(job).example", milliseconds: 30_000, time: 600_000), at: start)
        }
        let media = terms("b.example", milliseconds: 30_000, time: 600_000)
        #expect(machine.admit(1_001, media, at: start) != nil)
        #expect(machine.admit(1_002, media, at: start + .seconds(5)) == nil)
        // A media item that is downloaded later counts as work again.
        let late = terms("stalled1.example", milliseconds: 30_000, time: 600_000)
        #expect(machine.handle(.submitted(1, late), at: start + .seconds(6)) == [.start(1), .send(1, 1)])
    }

    /// If the costs of other hosts counted, all media of the unknown host could be refused, and the machine would never
    /// learn their cost.
    @Test func `the costs of other hosts do not cause a refusal of a media item of an unknown host`() {
        var machine = loaded(jobs: 2)
        let job = terms("b.example", milliseconds: 100, time: 60_000, least: 0)
        #expect(machine.admit(9_999, job, at: start) == nil)
        machine.release(9_999)
        let known = terms("b.example", milliseconds: 100, time: 60_000, least: 30_000)
        #expect(machine.admit(9_998, known, at: start) != nil)
    }

    /// Each video is replaced by a still image of 60 ms.
    @Test func `a video that is too long for its deadline is admitted with the cost of its still image`() {
        var machine = PoolStateMachine(size: 2)
        let video = terms(milliseconds: 450, time: 3_000_000, least: 60_000)
        for job in 1...8 as ClosedRange<JobID> {
            #expect(machine.admit(job, video, at: start) == nil)
        }
        for job in 1...8 as ClosedRange<JobID> { _ = machine.handle(.submitted(job, video), at: start) }
        #expect(machine.wait(for: video, at: start) == .milliseconds(8 * 60 / 2))
        #expect((9...99).count { machine.admit($0, video, at: start) == nil } < 12)
    }

    /// A worker makes the image as large as the time permits.
    @Test func `the wait includes the remaining time of a running image job, and a new image needs time for its cost`()
    {
        var machine = PoolStateMachine(size: 1)
        let image = terms(milliseconds: 50, time: 60_000, least: 30_000)
        _ = machine.handle(.submitted(1, image), at: start)
        #expect(machine.wait(for: image, at: start) == .milliseconds(50))
        let next = terms(milliseconds: 110, time: 60_000, least: 30_000)
        #expect(machine.admit(2, next, at: start) != nil)
        #expect(machine.admit(2, terms(milliseconds: 125, time: 60_000, least: 30_000), at: start) == nil)
    }

    @Test func `a video with enough time before its deadline counts with its whole cost in the wait`() {
        var machine = PoolStateMachine(size: 1)
        _ = machine.handle(
            .submitted(1, terms(milliseconds: 30_000, time: 3_000_000, least: 60_000)), at: start)
        let other = terms("b.example", milliseconds: 3_500, time: 1_200_000, least: 1_000_000)
        #expect(machine.admit(2, other, at: start) != nil)
        #expect(machine.admit(2, other, at: start + .milliseconds(2_900)) == nil)
    }

    /// The next job corrects any wrong estimate.
    @Test func `a pool with an idle worker admits a job with any estimate`() {
        var machine = PoolStateMachine(size: 2)
        let job = terms(milliseconds: 200, time: 60_000_000, least: 15_000_000)
        #expect(machine.admit(1, job, at: start) == nil)
        machine.release(1)
        _ = machine.handle(.submitted(2, terms(milliseconds: 8_000, time: 60_000)), at: start)
        #expect(machine.admit(3, job, at: start) == nil)
    }

    @Test func `a pool with a low load refuses no media item, even if one item may take too long`() {
        var machine = loaded(jobs: 6)
        #expect(machine.admit(99, terms(milliseconds: 2_000, time: 60_000_000), at: start) == nil)
    }

    @Test func `a media item whose time has ended is not admitted`() {
        var machine = PoolStateMachine(size: 2)
        #expect(machine.admit(1, terms(milliseconds: 0), at: start) != nil)
    }

    @Test func `a submission replaces its reservation`() {
        var machine = PoolStateMachine(size: 1)
        #expect(machine.admit(1, terms(milliseconds: 8_000), at: start) == nil)
        #expect(
            machine.handle(.submitted(1, terms(milliseconds: 8_000)), at: start) == [.start(1), .send(1, 1)])
        #expect(machine.queue.isReserved(1) == false)
        machine.release(1)
        #expect(machine.handle(.replied(1, 1), at: start) == [.finish(1, .replied)])
    }
}
