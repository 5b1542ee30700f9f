import NotificationModel
import Primitives
import Testing
import TranscodePool

/// The tests of the order of jobs, and of the work before a new job.
struct TranscodeQueueTests {
    private let start = MonotonicInstant.now

    private func terms(
        _ host: String = "a.example", _ group: String = "group.a", priority: Int = 10, seconds: Int = 8,
        cost: Double = 1_000
    ) throws -> TranscodeTerms {
        .test(
            priority: priority, try #require(AppGroupName(group)), host: host, deadline: start + .seconds(seconds),
            cost: cost)
    }

    private func order(_ queue: inout TranscodeQueue) -> [JobID] {
        var order: [JobID] = []
        while let next = queue.takeNext() { order.append(next.job) }
        return order
    }

    @Test func `the jobs of a host are ordered by deadline and then by arrival`() throws {
        var queue = TranscodeQueue()
        for (job, seconds) in [(1, 8), (2, 3), (3, 8), (4, 5)] {
            queue.insert(JobID(job), try terms(seconds: seconds), isReady: true)
        }
        #expect(order(&queue) == [2, 4, 1, 3])
        #expect(queue.isEmpty && queue.cost == 0)
    }

    @Test func `two hosts take turns, with any number of jobs and any deadlines`() throws {
        var queue = TranscodeQueue()
        for job in 1...4 { queue.insert(JobID(job), try terms(seconds: 1), isReady: true) }
        for job in 5...6 { queue.insert(JobID(job), try terms("b.example", seconds: 20), isReady: true) }
        #expect(order(&queue) == [1, 5, 2, 6, 3, 4])
    }

    @Test func `a host with small images gets as much time as a host with large images`() throws {
        var queue = TranscodeQueue()
        for job in 1...3 { queue.insert(JobID(job), try terms(cost: 60_000), isReady: true) }
        for job in 11...30 { queue.insert(JobID(job), try terms("b.example", cost: 6_000), isReady: true) }
        #expect(Array(order(&queue).prefix(13)) == [1] + (11...20) + [2, 21])
    }

    @Test func `a host that arrives later gets the next turn, and no extra turns for the earlier time`() throws {
        var queue = TranscodeQueue()
        for job in 1...6 { queue.insert(JobID(job), try terms(), isReady: true) }
        #expect([queue.takeNext()?.job, queue.takeNext()?.job, queue.takeNext()?.job] == [1, 2, 3])
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
        #expect([queue.takeNext()?.job, queue.takeNext()?.job, queue.takeNext()?.job] == [1, 2, 3])
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
        let isShort = { (terms: TranscodeTerms) in terms.cost <= 1_000 }
        queue.insert(99, try terms("film.example", group, cost: 90_000), isReady: true)
        for job in 1...6 { queue.insert(JobID(job), try terms(), isReady: true) }
        #expect((1...3).map { _ in queue.takeNext(where: isShort)?.job } == [1, 2, 3])
        for job in 11...13 { queue.insert(JobID(job), try terms("film.example", group), isReady: true) }
        var order: [JobID] = []
        while let next = queue.takeNext(where: isShort) { order.append(next.job) }
        #expect(order == (group == "group.a" ? [11, 4, 12, 5, 13, 6] : [11, 12, 4, 13, 5, 6]))
        #expect(queue.takeNext()?.job == 99)
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
        #expect(queue.isReserved(1) && !queue.isReserved(2) && queue.readyCount == 1)
        #expect(queue.takeNext()?.job == 2)
        #expect(queue.takeNext() == nil)
        queue.insert(1, try terms(seconds: 1, cost: 5_000), isReady: true)
        #expect(queue.cost == 5_000)
        #expect(queue.takeNext()?.job == 1)
    }

    @Test func `a removed job is not in the queue, and its cost does not count`() throws {
        var queue = TranscodeQueue()
        queue.insert(1, try terms(), isReady: true)
        queue.insert(2, try terms("b.example", cost: 7_000), isReady: false)
        queue.remove(1)
        queue.remove(1)
        queue.remove(2)
        #expect(queue.isEmpty && queue.readyCount == 0 && queue.cost == 0 && !queue.contains(2))
    }

    @Test func `a job waits for earlier jobs of its host and for as much work of each other host`() throws {
        var queue = TranscodeQueue()
        for job in 1...5 { queue.insert(JobID(job), try terms(seconds: job), isReady: true) }
        // The cost is the sum of the costs of the jobs 1 to 3 of the same host.
        #expect(queue.costAhead(of: try terms(seconds: 3)) == 3_000)
        // The first job of another host waits for at most one job of the first host.
        #expect(queue.costAhead(of: try terms("b.example")) == 1_000)
        #expect(queue.costAhead(of: try terms("b.example", cost: 200)) == 200)
        for job in 11...12 { queue.insert(JobID(job), try terms("b.example"), isReady: false) }
        #expect(queue.costAhead(of: try terms("b.example")) == 2_000 + 3_000)
        #expect(queue.costAhead(of: try terms(seconds: 9)) == 5_000 + 2_000)
    }

    @Test func `waits and turns count the cost of a job only up to its deadline`() throws {
        var queue = TranscodeQueue()
        for job in 1...3 { queue.insert(JobID(job), try terms(cost: 60_000), isReady: true) }
        for job in 11...14 { queue.insert(JobID(job), try terms("b.example", cost: 20_000), isReady: true) }
        let count = { (terms: TranscodeTerms) in min(terms.cost, 20_000) }
        #expect(queue.costAhead(of: try terms(cost: 60_000), counting: count) == 60_000 + 80_000)
        var order: [JobID] = []
        while let next = queue.takeNext(counting: count) { order.append(next.job) }
        #expect(order == [1, 11, 2, 12, 3, 13, 14])
    }

    @Test func `a job for the first part of a file waits for submitted jobs, and not for reservations of whole files`()
        throws
    {
        var queue = TranscodeQueue()
        queue.insert(1, try terms(), isReady: false)
        queue.insert(2, try terms(cost: 500), isReady: true)
        var part = try terms(cost: 60)
        part.isPart = true
        queue.insert(3, part, isReady: false)
        #expect(queue.costAhead(of: part) == 560)
        #expect(queue.costAhead(of: try terms()) == 1_560)
    }

    @Test func `a job waits for all work of higher priorities and for no work of lower priorities`() throws {
        var queue = TranscodeQueue()
        for job in 1...5 { queue.insert(JobID(job), try terms(priority: 5), isReady: true) }
        #expect(queue.costAhead(of: try terms("b.example", priority: 10)) == 0)
        #expect(queue.costAhead(of: try terms("b.example", priority: 1)) == 5_000)
    }

    @Test func `a job waits for an equal amount of work of its own group and of another group`() throws {
        var queue = TranscodeQueue()
        for job in 1...5 { queue.insert(JobID(job), try terms("h\(job).example"), isReady: true) }
        queue.insert(11, try terms("a.example", "group.b"), isReady: true)
        #expect(queue.costAhead(of: try terms("a.example", "group.b")) == 1_000 + 2_000)
        #expect(queue.costAhead(of: try terms("a.example", "group.c")) == 1_000 + 1_000)
    }
}
