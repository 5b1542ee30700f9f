import NotificationModel

/// Many small files, so many at a time: the fetcher, with and without the HTTP cache, against `curl --parallel`.
struct DownloadComparison {
    let name: String
    let curl: CurlPeer
    let rounds: Int
    let isCached: Bool

    static func all(of origin: borrowing NginxOrigin, files: Int, rounds: Int, isCached: Bool) -> [DownloadComparison] {
        var comparisons: [DownloadComparison] = []
        for parallel in [64, 256] {
            for isSecure in [false, true] {
                let curl = CurlPeer(
                    address: isSecure ? origin.secureAddress : origin.plainAddress,
                    caFile: isSecure ? origin.caFile : nil, parallel: parallel, files: files)
                let name = "\(files) × 64 KiB, \(parallel) at a time, \(isSecure ? "HTTP/2 over TLS" : "HTTP/1.1")"
                comparisons.append(DownloadComparison(name: name, curl: curl, rounds: rounds, isCached: isCached))
            }
        }
        return comparisons
    }

    private struct Round {
        var curl: ProcessUsage
        var plain: ProcessUsage
        /// The fetcher's alone where nothing is cached.
        var cached: ProcessUsage
    }

    func rows(in folder: String) throws -> [ResultRow] {
        var measured: [Round] = []
        for round in 0...rounds {
            let (peer, plain) = (try curl.run(in: folder), try fetch(in: folder, isCached: false))
            let next = Round(
                curl: peer, plain: plain, cached: isCached ? try fetch(in: folder, isCached: true) : plain)
            if round > 0 { measured.append(next) }
        }
        let rows = rows(measured, name, \.plain, isPromised: true)
        guard isCached else { return rows }
        return rows + self.rows(measured, name + ", with the cache", \.cached, isPromised: false)
    }

    private func fetch(in folder: String, isCached: Bool) throws -> ProcessUsage {
        let root = try TemporaryFolder(in: folder)
        var arguments = Arguments()
        arguments["worker"] = "downloads"
        arguments["address"] = curl.address
        arguments["ca-file"] = curl.caFile
        arguments["count"] = "\(curl.files)"
        arguments["parallel"] = "\(curl.parallel)"
        arguments["root"] = root.path
        if isCached { arguments["cache"] = "" }
        return try MeasuredProcess(worker: arguments).endAsTold()
    }

    private func rows(
        _ rounds: [Round], _ name: String, _ ours: KeyPath<Round, ProcessUsage>, isPromised: Bool
    ) -> [ResultRow] {
        func row(
            _ what: String, _ unit: String, _ value: (ProcessUsage) -> Double, _ target: ResultRow.Target
        ) -> ResultRow {
            ResultRow(
                what: "\(name): \(what)", ours: Ratios(rounds.map { value($0[keyPath: ours]) }).median.text + unit,
                peers: Ratios(rounds.map { value($0.curl) }).median.text + unit,
                measured: Ratios(rounds.map { value($0[keyPath: ours]) / value($0.curl) }),
                target: isPromised ? target : .none)
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
