import Dispatch
import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopJobTests {
    private actor Resident {
        private nonisolated let loop: EventLoop
        private(set) var numbers: [Int] = []

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(on loop: EventLoop) { self.loop = loop }

        func thread() -> pthread_t { pthread_self() }
        func append(_ number: Int) { numbers.append(number) }

        func appendInTasks(_ count: Int) -> [Task<Void, Never>] {
            (0..<count).map { number in Task { self.append(number) } }
        }

        /// Appends three numbers in tasks, of which the first two have a low priority.
        func appendByPriority() -> [Task<Void, Never>] {
            [TaskPriority.utility, .utility, .medium].enumerated().map { number, priority in
                Task(priority: priority) { self.append(number) }
            }
        }

        /// Returns the threads before and after a suspension.
        func threadsAround(_ other: Resident) async -> [pthread_t] {
            let before = thread()
            await other.append(0)
            return [before, thread()]
        }
    }

    @Test func `an actor on a loop runs on the loop's thread, even after a suspension`() async throws {
        try await withEventLoop { first in
            try await withEventLoop { second in
                let threads = await Resident(on: first).threadsAround(Resident(on: second))
                let own = await first.run { pthread_self() }
                #expect(threads == [own, own])
                #expect(await second.run { pthread_self() } != own)
            }
        }
    }

    @Test func `the loop recognizes its own thread`() async throws {
        try await withEventLoop { loop in
            #expect(loop.isIsolatingCurrentContext() == false)
            #expect(await loop.run { loop.isIsolatingCurrentContext() } == true)
        }
    }

    @Test func `the thread has the loop's name`() async throws {
        let loop = try EventLoop.start(name: "agd-named")
        defer { loop.shutdown() }
        await loop.run {}
        #expect(try Threads.named("agd-named").count == 1)
    }

    @Test func `the job of a task with low priority runs after all other jobs`() async throws {
        try await withEventLoop { loop in
            let resident = Resident(on: loop)
            for task in await resident.appendByPriority() { await task.value }
            #expect(await resident.numbers == [2, 0, 1])
        }
    }

    @Test func `the jobs of an actor run in the order in which they were enqueued`() async throws {
        try await withEventLoop { loop in
            let resident = Resident(on: loop)
            for task in await resident.appendInTasks(1_000) { await task.value }
            #expect(await resident.numbers == Array(0..<1_000))
        }
    }

    @Test func `the loop runs all calls from many tasks`() async throws {
        try await withEventLoop { loop in
            let resident = Resident(on: loop)
            await withTaskGroup { group in
                for number in 0..<2_000 { group.addTask { await resident.append(number) } }
            }
            #expect(await resident.numbers.sorted() == Array(0..<2_000))
        }
    }

    @Test func `the loop runs all closures from many threads, and keeps the order of each thread`() throws {
        let loop = try EventLoop.start(name: "agd-test")
        let seen = Record<(thread: Int, number: Int)>()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<2_000 { loop.execute { seen.append((thread, number)) } }
        }
        loop.shutdown()
        for thread in 0..<8 {
            #expect(seen.elements.filter { $0.thread == thread }.map(\.number) == Array(0..<2_000))
        }
    }

    @Test func `a shutdown runs all enqueued closures, and the closures that they enqueue`() throws {
        let loop = try EventLoop.start(name: "agd-test")
        let gate = DispatchSemaphore(value: 0)
        let seen = Record<Int>()
        loop.execute { gate.wait() }
        for number in 0..<100 {
            loop.execute {
                seen.append(number)
                loop.execute { seen.append(100 + number) }
            }
        }
        gate.signal()
        loop.shutdown()
        // The order is guaranteed for the closures of each thread: those of this test, and those of the loop.
        #expect(seen.elements.filter { $0 < 100 } == Array(0..<100))
        #expect(seen.elements.filter { $0 >= 100 } == Array(100..<200))
    }

    @Test func `a shared thread ends with its last use`() async throws {
        let loop = try EventLoop.start(name: "agd-shared")
        let other = try EventLoop.start(name: "agd-unused", orShare: loop)
        loop.shutdown()
        #expect(await other.perform { 1 } == 1)
        let ended = Record<Int>()
        other.execute { EndOfThread.tell(ended) }
        other.shutdown()
        #expect(ended.elements == [1])
    }

    @Test func `a task that prefers the loop runs on its thread with its children, even after a suspension`()
        async throws
    {
        let loop = try EventLoop.start(name: "agd-test")
        let seen = Record<Bool>()
        let note: @Sendable () -> Void = { seen.append(loop.isIsolatingCurrentContext() == true) }
        await Task(executorPreference: loop.tasks) {
            note()
            await Task.yield()
            note()
            await withTaskGroup { group in group.addTask { note() } }
            note()
        }.value
        loop.shutdown()
        #expect(seen.elements == [true, true, true, true])
    }

    @Test func `a shutdown returns after the thread has ended, and may be repeated`() throws {
        let loop = try EventLoop.start(name: "agd-joined")
        let ended = Record<Int>()
        loop.execute { EndOfThread.tell(ended) }
        loop.shutdown()
        #expect(ended.elements == [1])
        loop.shutdown()
        // After the join, the kernel lists the thread for some microseconds more.
        var looks = 0
        while looks < 10_000, try !Threads.named("agd-joined").isEmpty {
            looks += 1
            sched_yield()
        }
        #expect(try Threads.named("agd-joined").isEmpty)
    }
}

/// A recorder of the end of the calling thread, as the last action of the thread's code.
private enum EndOfThread {
    static func tell(_ record: Record<Int>) {
        var key = pthread_key_t()
        pthread_key_create(&key) { raw in
            guard let raw else { return }
            Unmanaged<Record<Int>>.fromOpaque(raw).takeRetainedValue().append(1)
        }
        pthread_setspecific(key, Unmanaged.passRetained(record).toOpaque())
    }
}
