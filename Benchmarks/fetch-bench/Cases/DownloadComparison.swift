import Base
import BenchProcess
import BenchReport
import NotificationModel

/// A comparison of the fetcher with `curl --parallel` for many small files. A limited number of files is downloaded at
/// a time.
struct DownloadComparison {
    enum Way: String, CaseIterable {
        /// The fetcher alone. All of its transfers may go to one host.
        case alone
        /// The fetcher as in the daemon, with the HTTP cache and the default limits.
        case shipped = "as shipped"
    }

    let way: Way
    let curl: CurlPeer
    let rounds: Int

    static func all(of origin: borrowing NginxOrigin, files: Int, rounds: Int) -> [DownloadComparison] {
        let loads: [(way: Way, parallel: Int, hosts: Int)] = [
            (.alone, 64, 16), (.alone, 256, 16), (.alone, 64, 1), (.alone, 256, 1), (.shipped, 256, 16),
            (.shipped, 16, 1),
        ]
        var comparisons: [DownloadComparison] = []
        for load in loads {
            for isSecure in [false, true] {
                let curl = CurlPeer(
                    urls: origin.urls(isSecure: isSecure, hosts: load.hosts), caFile: isSecure ? origin.caFile : nil,
                    parallel: load.parallel, files: files)
                comparisons.append(DownloadComparison(way: load.way, curl: curl, rounds: rounds))
            }
        }
        return comparisons
    }

    func rows(in directory: String) throws -> [ResultRow] {
        var measured: [(ours: ProcessUsage, curl: ProcessUsage)] = []
        for round in 0...rounds {
            let curl = try curl.run(in: directory)
            let ours = try fetch(in: directory)
            if round > 0 { measured.append((ours, curl)) }
        }
        return rows(measured)
    }

    private func fetch(in directory: String) throws -> ProcessUsage {
        let root = try TemporaryDirectory(in: directory)
        var arguments = Arguments()
        arguments["worker"] = "downloads"
        arguments.set(curl.urls)
        arguments["ca-file"] = curl.caFile
        arguments["count"] = "\(curl.files)"
        arguments["parallel"] = "\(curl.parallel)"
        arguments["root"] = root.path
        if way == .shipped { arguments["shipped"] = "" }
        // The cache belongs to the store, which only this program links. This program is therefore the worker.
        let process =
            way == .shipped
            ? try MeasuredProcess(worker: arguments)
            : try MeasuredProcess(besides: "fetch-bench-worker", worker: arguments)
        return try process.endOnRequest()
    }

    private var name: String {
        let hosts = curl.urls.hosts == 1 ? "from one host" : "over \(curl.urls.hosts) hosts"
        let version = curl.urls.isSecure ? "HTTP/2 over TLS" : "HTTP/1.1"
        return "\(curl.files) × 64 KiB, \(curl.parallel) at a time \(hosts), \(version), \(way.rawValue)"
    }

    /// The targets of throughput, processor time and private memory.
    private var targets: (throughput: Double, processor: Double, memory: Double) {
        switch way {
        case .alone: (curl.urls.hosts == 1 ? 0.75 : 1, 1.25, 1.3)
        case .shipped: (0.9, 1.6, 1.8)
        }
    }

    private func rows(_ pairs: [(ours: ProcessUsage, curl: ProcessUsage)]) -> [ResultRow] {
        func row(
            _ what: String, _ unit: String, _ value: (ProcessUsage) -> Double, _ target: ResultRow.Target
        ) -> ResultRow {
            ResultRow(
                what: "\(name): \(what)", ours: Ratios(pairs.map { value($0.ours) }).median.text + unit,
                peers: Ratios(pairs.map { value($0.curl) }).median.text + unit,
                measured: Ratios(pairs.map { value($0.ours) / value($0.curl) }), target: target)
        }
        let megabytes = Double(curl.files * NginxOrigin.byteCount) / 1e6
        return [
            row("throughput", " MB/s", { megabytes / $0.wall.seconds }, .least(targets.throughput)),
            row("processor time", " s", { $0.processor.seconds }, .most(targets.processor)),
            row("peak private memory", " MiB", { Double($0.peakPrivateKilobytes) / 1_024 }, .most(targets.memory)),
        ]
    }
}
