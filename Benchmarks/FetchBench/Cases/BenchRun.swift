import BenchProcess
import BenchReport
import Glibc
import LinuxIO
import MediaFetcher
import NotificationModel

/// All cases one after the other, and the table at the end.
struct BenchRun {
    let isQuick: Bool
    let rounds: Int
    private let cases: Set<String>
    private let fixtures: String
    private let results: String?

    private static let allCases = ["downloads", "cache", "stalled", "cancel", "crowd"]

    init(_ arguments: Arguments) throws {
        isQuick = arguments["quick"] != nil
        rounds = try arguments.number("rounds", else: isQuick ? 2 : 9)
        cases = try arguments.cases(of: Self.allCases)
        fixtures = arguments["fixtures"] ?? "fixtures"
        results = arguments["results"]
    }

    func run() async throws {
        let directory = try TemporaryDirectory()
        // nginx may be another user's.
        guard let absolute = realpath(fixtures + "/media", nil) else {
            throw BenchFailure("--fixtures \(fixtures) is no folder: name the project's fixtures")
        }
        defer { free(absolute) }
        let origin = try NginxOrigin(in: directory.path, media: String(cString: absolute))
        let heading = Surroundings.lines(versions: Self.versions)
        var table = ResultTable()
        func add(_ rows: [ResultRow]) {
            for row in rows { Console.say(row.cells.joined(separator: "  ")) }
            table.lines += rows.map(\.cells)
        }
        heading.forEach(Console.say)
        if cases.contains("downloads") || cases.contains("cache") {
            let comparisons = DownloadComparison.all(
                of: origin, files: isQuick ? 200 : 2_000, rounds: rounds,
                ways: cases.contains("cache") ? DownloadComparison.Way.allCases : [.plain, .fromPool])
            for comparison in comparisons {
                add(try comparison.rows(in: directory.path))
            }
        }
        let stalling = try StallingOrigin()
        await stalling.listen()
        if cases.contains("stalled") {
            add(
                try await StalledComparison(
                    files: isQuick ? 200 : 2_000, stalled: isQuick ? 200 : 2_000, rounds: rounds, origin: stalling
                ).rows(beside: origin, in: directory.path))
        }
        if cases.contains("cancel") {
            add(
                try await CancelLatency(stalled: isQuick ? 100 : 500, rounds: rounds, origin: stalling)
                    .rows(in: directory.path))
        }
        await stalling.close()
        stalling.shutdown()
        if cases.contains("crowd") {
            let crowd = Crowd(notifications: isQuick ? 500 : 10_000, rounds: isQuick ? 1 : 3)
            add(try crowd.rows(from: origin, in: directory.path))
        }
        guard let results else { return }
        let text = Self.document(heading + ["Load after: \(Surroundings.load)"], table, rounds)
        try FileSystem.write(Array(text.utf8), toFile: results)
    }

    private static var versions: String {
        let library = CurlLibrary.description
        return "libcurl of both sides: \(library?.version ?? "unknown"), \(library?.tls ?? "no TLS")"
    }

    private static func document(_ surroundings: [String], _ table: ResultTable, _ rounds: Int) -> String {
        """
        # The fetcher, measured

        Made by `make bench` (`fetch-bench`). Each comparison is of two processes that do the same work in turns,
        \(rounds) rounds of it after one that is not counted; a ratio is of the two of one round. The fetcher is a
        program of its own (`fetch-bench-worker`), as curl is libcurl's; "with the cache" it has the store beside it.
        Time, processor time (user and system) and peak memory (`VmHWM`) are those of whole processes, their start
        included, until all files are there: what it costs to remove them again is counted on neither side. The tasks
        that fetch live on the fetcher's thread; of more than 32 transfers at a time a part is on a second one, where
        the curl tool has one thread. Of 256 asked for over HTTP/2 with two processors, the fetcher has 150 on their
        way, over two connections; the curl tool opens one for each beyond the 128 that nginx allows. "From the pool"
        the tasks live on other threads, as in the daemon. The origin is one nginx process on the loopback, which
        shares the machine. curl writes named files, the fetcher nameless ones, all kept to the end, in memory
        (`/dev/shm`) where there is room; both check the certificate. "With the cache" is with the daemon's HTTP
        cache, empty at the start, which stores all that comes. "What is its own" is memory that no file backs
        (`RssAnon`, sampled): the rest is mostly the program, which is larger than curl.
        Other work on the machine widens the spread.
        [PROFILE.md](PROFILE.md) says where the time goes.

        \(surroundings.map { "- \($0)" }.joined(separator: "\n"))

        \(table.text)
        """
    }
}
