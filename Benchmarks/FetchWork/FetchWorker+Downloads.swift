import Base
import BenchProcess
import Glibc
import MediaFetcher
import NotificationModel

extension FetchWorker {
    /// Downloads all files, and reports the processor time at the end of the last download. The files are released
    /// later, because releasing a file without a name removes it. Neither side counts the removal.
    func download() async throws {
        try await withFetcher(connections: parallel) { fetcher in
            let files = try await downloadAll(fetcher)
            try tell("\(Self.processorMicroseconds)")
            withExtendedLifetime(files) {}
        }
    }

    /// Downloads all files during stalled transfers, and reports the processor time of the downloads alone, in
    /// microseconds.
    func downloadBesideStalled() async throws {
        let stalled = arguments["stalled"].flatMap { Int($0) } ?? 0
        try await withFetcher(connections: parallel + stalled) { fetcher in
            try await withStalled(stalled, fetcher) {
                try waitForWord()
                // The fetcher recognises stalled transfers after one second (`FetchLimits.stallThreshold`).
                try await ContinuousClock().sleep(for: .milliseconds(1_500))
                let before = Self.processorMicroseconds
                let files = try await downloadAll(fetcher)
                try tell("\(Self.processorMicroseconds - before)")
                withExtendedLifetime(files) {}
            }
        }
    }

    /// Cancels stalled transfers several times, and reports the time of each cancellation and of the last return of a
    /// fetch.
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
                // The next transfers start only after the origin has seen the end of all these connections. Otherwise
                // the origin would count the old and the new connections together.
                try waitForWord()
            }
        }
    }

    /// Starts fetches that never get a response, calls the body, and cancels the fetches.
    private func withStalled(
        _ stalled: Int, _ fetcher: HTTPMediaFetcher, _ body: () async throws -> Void
    ) async throws {
        let address = arguments["stalled-address"] ?? ""
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<stalled {
                group.addTask(executorPreference: fetcher.executor) { [root] in
                    _ = await Self.fetch("\(address)\(number)", fetcher, into: root)
                }
            }
            try await body()
            group.cancelAll()
        }
    }

    /// The processor time in user and system mode, of all threads, in microseconds.
    private static var processorMicroseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
