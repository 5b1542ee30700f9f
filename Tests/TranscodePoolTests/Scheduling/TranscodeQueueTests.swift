import Base
import NotificationModel
import Testing

@testable import TranscodePool

/// The tests of the order of jobs, and of the work before a new job.
struct TranscodeQueueTests {
    private let start = MonotonicInstant.now

    private func terms(
        _ host: String = "a.example", _ group: String = "group.a", priority: Int = 10, seconds: Int = 8,
        time: Double = 1_000
    ) throws -> TranscodeTerms {
        .test(
            priority: priority, try #require(AppGroupName(group)), host: host, deadline: start + .seconds(seconds),
            time: time)
    }

    private func order(_ queue: inout TranscodeQueue) -> [JobID] {
        var order: [JobID] = []
        while let job = queue.takeNext(at: start) { order.append(job) }
        return order
    }

    @Test func `the jobs of a host are ordered by deadline and then by arrival`() throws {
        var queue = TranscodeQueue()
        for (job, seconds) in [(1, 8), (2, 3), (3, 8), (4, 5)] {
            queue.insert(JobID(job), try terms(seconds: seconds), isReady: true)
        }
        #expect(order(&queue) == [2, 4, 1, 3])
        #expect(queue.readyCount(isWarming: false) == 0)
    }

    @Test func `two hosts take turns, with any number of jobs and any deadlines`() throws {
        var queue = TranscodeQueue()
        for job in 1...4 { queue.insert(JobID(job), try terms(seconds: 1), isReady: true) }
        for job in 5...6 { queue.insert(JobID(job), try terms("b.example", seconds: 20), isReady: true) }
        #expect(order(&queue) == [1, 5, 2, 6, 3, 4])
    }

    @Test func `a host with small images gets as much time as a host with large images`() throws {
        var queue = TranscodeQueue()
        for job in 1...3 { queue.insert(JobID(job), try terms(time: 60_000), isReady: true) }
        for job in 11...30 { queue.insert(JobID(job), try terms("b.example", time: 6_000), isReady: true) }
        #expect(Array(order(&queue).prefix(13)) == [1] + (11...20) + [2, 21])
    }

    @Test func `a host that arrives later gets the next turn, and no extra turns for the earlier time`() throws {
        var queue = TranscodeQueue()
        for job in 1...6 { queue.insert(JobID(job), try terms(), isReady: true) }
        #expect([queue.takeNext(at: start), queue.takeNext(at: start), queue.takeNext(at: start)] == [1, 2, 3])
        for job in 11...13 { queue.insert(JobID(job), try terms("b.example"), isReady: true) }
        #expect(order(&queue) == [11, 4, 12, 5, 13, 6])
    }

    @Test(arguments: [("group.a", [11, 4, 12, 5, 13, 6]), ("group.b", [11, 12, 4, 13, 5, 6])])
    func `a host gets no extra turns for the time without a downloaded media item`(group: String, expected: [JobID])
        throws
    {
        var queue = TranscodeQueue()
        queue.insert(99, try terms("slow.example", group), isReady: false)
        for job in 1...6 { queue.insert(JobID(job), try terms(), isReady: true) }
        #expect([queue.takeNext(at: start), queue.takeNext(at: start), queue.takeNext(at: start)] == [1, 2, 3])
        for job in 11...13 { queue.insert(JobID(job), try terms("slow.example", group), isReady: true) }
        #expect(order(&queue) == expected)
    }

    @Test func `two app groups take turns, with any number of hosts`() throws {
        var queue = TranscodeQueue()
        for job in 1...4 { queue.insert(JobID(job), try terms("host\(job).example"), isReady: true) }
        for job in 11...12 { queue.insert(JobID(job), try terms("host1.example", "group.b"), isReady: true) }
        #expect(order(&queue) == [1, 11, 2, 12, 3, 4])
    }

    @Test(arguments: ["group.a", "group.b"])
    func `a host that waits with a long job gets no extra turns for other hosts' short jobs`(
        group: String
    ) throws {
        var queue = TranscodeQueue()
        let isShort = { (terms: TranscodeTerms) in terms.time <= 1_000 }
        queue.insert(99, try terms("film.example", group, time: 90_000), isReady: true)
        for job in 1...6 { queue.insert(JobID(job), try terms(), isReady: true) }
        #expect((1...3).map { _ in queue.takeNext(at: start, where: isShort) } == [1, 2, 3])
        for job in 11...13 { queue.insert(JobID(job), try terms("film.example", group), isReady: true) }
        var order: [JobID] = []
        while let job = queue.takeNext(at: start, where: isShort) { order.append(job) }
        #expect(order == (group == "group.a" ? [11, 4, 12, 5, 13, 6] : [11, 12, 4, 13, 5, 6]))
        #expect(queue.takeNext(at: start) == 99)
    }

    @Test func `a job of a higher priority is started before all jobs of lower priorities`() throws {
        var queue = TranscodeQueue()
        queue.insert(1, try terms(priority: 1, seconds: 1), isReady: true)
        queue.insert(2, try terms(priority: 5, seconds: 1), isReady: true)
        for job in 3...5 { queue.insert(JobID(job), try terms("b.example", priority: 10), isReady: true) }
        #expect(order(&queue) == [3, 4, 5, 2, 1])
    }

    @Test func `a job whose media item is not downloaded is counted in the queue, and gets no turn`() throws {
        var queue = TranscodeQueue()
        queue.insert(1, try terms(seconds: 1), isReady: false)
        queue.insert(2, try terms(), isReady: true)
        #expect(queue.isReserved(1) && !queue.isReserved(2) && queue.readyCount(isWarming: false) == 1)
        #expect(queue.takeNext(at: start) == 2)
        #expect(queue.takeNext(at: start) == nil)
        queue.insert(1, try terms(seconds: 1, time: 5_000), isReady: true)
        #expect(queue.takeNext(at: start) == 1)
    }

    @Test func `a removed job is not in the queue, and its cost does not count`() throws {
        var queue = TranscodeQueue()
        queue.insert(1, try terms(), isReady: true)
        queue.insert(2, try terms("b.example", time: 7_000), isReady: false)
        queue.remove(1)
        queue.remove(1)
        queue.remove(2)
        #expect(queue.readyCount(isWarming: false) == 0 && !queue.isReserved(2))
        #expect(queue.timeAhead(of: try terms(priority: 1), at: start) == 0)
    }

    @Test func `a job waits for earlier jobs of its host and for as much work of each other host`() throws {
        var queue = TranscodeQueue()
        for job in 1...5 { queue.insert(JobID(job), try terms(seconds: job), isReady: true) }
        // The cost is that of the jobs 1 to 3 of the same host.
        #expect(queue.timeAhead(of: try terms(seconds: 3), at: start) == 3_000)
        // The first job of another host waits for at most one job of the first host.
        #expect(queue.timeAhead(of: try terms("b.example"), at: start) == 1_000)
        #expect(queue.timeAhead(of: try terms("b.example", time: 200), at: start) == 200)
        for job in 11...12 { queue.insert(JobID(job), try terms("b.example"), isReady: false) }
        #expect(queue.timeAhead(of: try terms("b.example"), at: start) == 2_000 + 3_000)
        #expect(queue.timeAhead(of: try terms(seconds: 9), at: start) == 5_000 + 2_000)
    }

    @Test func `waits and turns count the cost of a job only up to its deadline`() throws {
        var queue = TranscodeQueue()
        func image(_ host: String, time: Double) throws -> TranscodeTerms {
            var terms = try terms(host, time: time)
            (terms.deadline, terms.minTime) = (start + .milliseconds(20), time)
            return terms
        }
        for job in 1...3 { queue.insert(JobID(job), try image("a.example", time: 60_000), isReady: true) }
        for job in 11...14 { queue.insert(JobID(job), try image("b.example", time: 20_000), isReady: true) }
        #expect(queue.timeAhead(of: try image("a.example", time: 60_000), at: start) == 60_000 + 80_000)
        #expect(order(&queue) == [1, 11, 2, 12, 3, 13, 14])
    }

    @Test func `a reservation counts as work for five seconds`() throws {
        var queue = TranscodeQueue()
        queue.insert(1, try terms(), isReady: false)
        queue.insert(2, try terms(time: 500), isReady: true)
        #expect(queue.timeAhead(of: try terms(), at: start + .milliseconds(4_999)) == 1_500)
        #expect(queue.timeAhead(of: try terms(), at: start + .seconds(5)) == 500)
    }

    @Test func `a job waits for all work of higher priorities and for no work of lower priorities`() throws {
        var queue = TranscodeQueue()
        for job in 1...5 { queue.insert(JobID(job), try terms(priority: 5), isReady: true) }
        #expect(queue.timeAhead(of: try terms("b.example", priority: 10), at: start) == 0)
        #expect(queue.timeAhead(of: try terms("b.example", priority: 1), at: start) == 5_000)
    }

    @Test func `a job waits for an equal amount of work of its own group and of another group`() throws {
        var queue = TranscodeQueue()
        for job in 1...5 { queue.insert(JobID(job), try terms("h\(job).example"), isReady: true) }
        queue.insert(11, try terms("a.example", "group.b"), isReady: true)
        #expect(queue.timeAhead(of: try terms("a.example", "group.b"), at: start) == 1_000 + 2_000)
        #expect(queue.timeAhead(of: try terms("a.example", "group.c"), at: start) == 1_000 + 1_000)
    }
}

extension TranscodeQueue {
    /// Adds a job that was reserved eight seconds before its deadline.
    fileprivate mutating func insert(_ job: JobID, _ terms: TranscodeTerms, isReady: Bool) {
        insert(PoolJob(id: job, terms: terms, isReady: isReady, since: terms.deadline - .seconds(8)))
    }

    fileprivate mutating func takeNext(
        at now: MonotonicInstant, where isEligible: (TranscodeTerms) -> Bool = { _ in true }
    ) -> JobID? {
        guard let job = next(isWarming: false, where: isEligible) else { return nil }
        start(job, at: now)
        return job.id
    }
}
