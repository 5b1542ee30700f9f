import BenchProcess
import BenchReport
import Glibc
import LinuxIO
import MediaFetcher
import NotificationModel

/// A run of all cases in order, which writes the result table at the end.
struct BenchRun {
    let isQuick: Bool
    let rounds: Int
    private let cases: Set<String>
    private let fixtures: String
    private let results: String?

    private static let allCases = ["downloads", "stalled", "cancel", "crowd"]

    init(_ arguments: Arguments) throws {
        isQuick = arguments["quick"] != nil
        rounds = try arguments.number("rounds", else: isQuick ? 2 : 9)
        cases = try arguments.cases(of: Self.allCases)
        fixtures = arguments["fixtures"] ?? "fixtures"
        results = arguments["results"]
    }

    func run() async throws {
        let directory = try TemporaryDirectory()
        // The path must be absolute, because nginx has its own working directory.
        guard let absolute = realpath(fixtures + "/media", nil) else {
            throw BenchFailure("--fixtures \(fixtures) is not a directory: name the project's fixtures")
        }
        defer { free(absolute) }
        let origin = try NginxOrigin(in: directory.path, media: String(cString: absolute))
        let heading = BenchEnvironment.lines(versions: Self.versions)
        var table = ResultTable()
        func add(_ rows: [ResultRow]) {
            for row in rows { Console.say(row.cells.joined(separator: "  ")) }
            table.lines += rows.map(\.cells)
        }
        heading.forEach(Console.say)
        if cases.contains("downloads") {
            for comparison in DownloadComparison.all(of: origin, files: isQuick ? 200 : 2_000, rounds: rounds) {
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
        let text = Self.document(heading + ["Load after: \(BenchEnvironment.load)"], table, rounds)
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
        \(rounds) rounds of it after one that is not counted; a ratio is of the two of one round. "Alone", the fetcher is a
        program of its own (`fetch-bench-worker`), as curl is libcurl's. "As shipped", it has the default limits, and
        the HTTP cache, empty at the start, stores all that comes. The tasks run on the fetcher's thread, like the media
        items of the daemon. curl's
        `--parallel-max` is the number of transfers at a time on both sides. Time, processor time (user and system) and
        peak private memory (`RssAnon`, sampled) are those of whole processes, their start included, until all files
        are there: the removal of the files is counted on neither side. The hosts are names of the loopback. The
        origin is one nginx process, which shares the machine. curl writes named files, the fetcher nameless
        ones, all kept to the end, in memory (`/dev/shm`) where there is room; both check the certificate.
        Other work on the machine widens the spread.
        [PROFILE.md](PROFILE.md) says where the time goes.

        \(surroundings.map { "- \($0)" }.joined(separator: "\n"))

        \(table.text)
        """
    }
}
