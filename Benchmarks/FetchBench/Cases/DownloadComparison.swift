import BenchProcess
import BenchReport
import NotificationModel

/// Many small files, so many at a time: the fetcher in several ways against `curl --parallel`.
struct DownloadComparison {
    /// A way for the fetcher to do it.
    enum Way: String, CaseIterable {
        case plain
        /// Asked by tasks on the pool's threads, as in the daemon.
        case fromPool = "from the pool"
        case withCache = "with the cache"
    }

    let name: String
    let curl: CurlPeer
    let rounds: Int
    let ways: [Way]

    static func all(of origin: borrowing NginxOrigin, files: Int, rounds: Int, ways: [Way]) -> [DownloadComparison] {
        var comparisons: [DownloadComparison] = []
        for parallel in [64, 256] {
            for isSecure in [false, true] {
                let curl = CurlPeer(
                    address: isSecure ? origin.secureAddress : origin.plainAddress,
                    caFile: isSecure ? origin.caFile : nil, parallel: parallel, files: files)
                let name = "\(files) × 64 KiB, \(parallel) at a time, \(isSecure ? "HTTP/2 over TLS" : "HTTP/1.1")"
                comparisons.append(DownloadComparison(name: name, curl: curl, rounds: rounds, ways: ways))
            }
        }
        return comparisons
    }

    private struct Round {
        var curl: ProcessUsage
        var ours: [Way: ProcessUsage] = [:]
    }

    func rows(in directory: String) throws -> [ResultRow] {
        var measured: [Round] = []
        for round in 0...rounds {
            var next = Round(curl: try curl.run(in: directory))
            for way in ways { next.ours[way] = try fetch(in: directory, way) }
            if round > 0 { measured.append(next) }
        }
        return ways.flatMap { rows(measured, $0) }
    }

    private func fetch(in directory: String, _ way: Way) throws -> ProcessUsage {
        let root = try TemporaryDirectory(in: directory)
        var arguments = Arguments()
        arguments["worker"] = "downloads"
        arguments["address"] = curl.address
        arguments["ca-file"] = curl.caFile
        arguments["count"] = "\(curl.files)"
        arguments["parallel"] = "\(curl.parallel)"
        arguments["root"] = root.path
        if way == .fromPool { arguments["from-pool"] = "" }
        // The cache is the store's, and comes with all that belongs to it.
        let process =
            way == .withCache
            ? try MeasuredProcess(worker: arguments)
            : try MeasuredProcess(besides: "fetch-bench-worker", worker: arguments)
        return try process.endAsTold()
    }

    /// What is promised is promised of the plain way.
    private func rows(_ rounds: [Round], _ way: Way) -> [ResultRow] {
        let name = way == .plain ? name : "\(name), \(way.rawValue)"
        let pairs = rounds.compactMap { round in round.ours[way].map { (ours: $0, curl: round.curl) } }
        func row(
            _ what: String, _ unit: String, _ value: (ProcessUsage) -> Double, _ target: ResultRow.Target
        ) -> ResultRow {
            ResultRow(
                what: "\(name): \(what)", ours: Ratios(pairs.map { value($0.ours) }).median.text + unit,
                peers: Ratios(pairs.map { value($0.curl) }).median.text + unit,
                measured: Ratios(pairs.map { value($0.ours) / value($0.curl) }),
                target: way == .plain ? target : .none)
        }
        let megabytes = Double(curl.files * NginxOrigin.byteCount) / 1e6
        return [
            row("throughput", " MB/s", { megabytes / $0.wall.seconds }, .least(1)),
            row("processor time", " s", { $0.processor.seconds }, .most(1.1)),
            row("peak memory", " MiB", { Double($0.peakKilobytes) / 1_024 }, .most(1)),
            row("peak of what is its own", " MiB", { Double($0.peakOwnKilobytes) / 1_024 }, .none),
        ]
    }
}
