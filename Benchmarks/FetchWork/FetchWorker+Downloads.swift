import BenchProcess
import Glibc
import MediaFetcher
import NotificationModel

extension FetchWorker {
    /// Tells what the process has used when all files are there: to let go of nameless ones is to remove them, which
    /// is not counted on either side.
    func download() async throws {
        try await withFetcher(connections: parallel) { fetcher in
            let files = try await downloadAll(fetcher)
            try tell("\(Self.processorMicroseconds)")
            withExtendedLifetime(files) {}
        }
    }

    /// The downloads alone, beside transfers that stand still; tells the processor time that they took, in microseconds.
    func downloadBesideStalled() async throws {
        let stalled = arguments["stalled"].flatMap { Int($0) } ?? 0
        try await withFetcher(connections: parallel + stalled) { fetcher in
            try await withStalled(stalled, fetcher) {
                try waitForWord()
                // Those that stand still are found out after a second (`FetchLimits.patience`).
                try await ContinuousClock().sleep(for: .milliseconds(1_500))
                let before = Self.processorMicroseconds
                let files = try await downloadAll(fetcher)
                try tell("\(Self.processorMicroseconds - before)")
                withExtendedLifetime(files) {}
            }
        }
    }

    /// Takes transfers back that stand still, again and again; tells when it began and when the last fetch was back.
    func cancelStalled() async throws {
        let stalled = try arguments.number("stalled", else: 500)
        try await withFetcher(connections: stalled) { fetcher in
            for _ in 0..<count {
                let start = Guarded(MonotonicTime.now)
                try await withStalled(stalled, fetcher) {
                    try waitForWord()
                    start.withLock { $0 = .now }
                }
                let end = MonotonicTime.now
                try tell("\(start.withLock { $0.nanoseconds }) \(end.nanoseconds)")
                // The next ones would be taken for some of these, which the origin may not have seen the end of.
                try waitForWord()
            }
        }
    }

    /// Begins fetches of what never answers, runs the body, and takes them back.
    private func withStalled(
        _ stalled: Int, _ fetcher: HTTPMediaFetcher, _ body: () async throws -> Void
    ) async throws {
        let address = arguments["stalled-address"] ?? ""
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<stalled {
                group.addTask(executorPreference: executor(of: fetcher)) { [root] in
                    _ = await Self.fetch("\(address)\(number)", fetcher, into: root)
                }
            }
            try await body()
            group.cancelAll()
        }
    }

    /// User and system, all threads.
    private static var processorMicroseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
