import BenchProcess
import BenchReport
import NotificationModel

/// A comparison of two processor times: of downloads during many stalled transfers, and of downloads alone.
struct StalledComparison {
    let files: Int
    let stalled: Int
    let rounds: Int
    let origin: StallingOrigin

    func rows(beside good: borrowing NginxOrigin, in directory: String) async throws -> [ResultRow] {
        var pairs: [(with: Double, without: Double)] = []
        let urls = good.urls(isSecure: false, hosts: 1)
        for round in 0...rounds {
            let without = try await processorTime(urls, beside: 0, in: directory)
            let with = try await processorTime(urls, beside: stalled, in: directory)
            if round > 0 { pairs.append((with, without)) }
        }
        return [
            ResultRow(
                what: "\(files) downloads beside \(stalled) stalled ones: processor time",
                ours: Ratios(pairs.map(\.with)).median.text + " s",
                peers: Ratios(pairs.map(\.without)).median.text + " s alone",
                measured: Ratios(pairs.map { $0.with / $0.without }), target: .most(1.1))
        ]
    }

    private func processorTime(_ urls: FileURLs, beside stalled: Int, in directory: String) async throws -> Double {
        let root = try TemporaryDirectory(in: directory)
        var arguments = Arguments()
        arguments["worker"] = "stalled"
        arguments.set(urls)
        arguments["count"] = "\(files)"
        arguments["root"] = root.path
        arguments["stalled"] = "\(stalled)"
        arguments["stalled-address"] = origin.address
        let worker = try MeasuredProcess(besides: "fetch-bench-worker", worker: arguments)
        await origin.waitUntil(waiting: stalled)
        try worker.send("go")
        let time = Double(try worker.receive()) ?? .nan
        _ = try worker.end()
        _ = await origin.lastClosed()
        return time / 1e6
    }
}
