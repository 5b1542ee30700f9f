import BenchProcess
import BenchReport
import NotificationModel

/// The time from a cancellation until the last of many stalled requests has ended. A request has ended when its fetch
/// has returned and the origin has seen the end of the connection.
struct CancelLatency {
    let stalled: Int
    let rounds: Int
    let origin: StallingOrigin

    func rows(in directory: String) async throws -> [ResultRow] {
        let root = try TemporaryDirectory(in: directory)
        var arguments = Arguments()
        arguments["worker"] = "cancel"
        arguments["count"] = "\(rounds + 1)"
        arguments["root"] = root.path
        arguments["stalled"] = "\(stalled)"
        arguments["stalled-address"] = origin.address
        let worker = try MeasuredProcess(besides: "fetch-bench-worker", worker: arguments)
        var latencies: [(back: Double, gone: Double)] = []
        for round in 0...rounds {
            await origin.waitUntil(waiting: stalled)
            try worker.send("go")
            let times = try worker.receive().split(separator: " ").compactMap { Int64($0) }
            guard times.count == 2, let closed = await origin.lastClosed() else {
                throw BenchFailure("the worker's times cannot be read")
            }
            try worker.send("next")
            let gone = max(times[1], closed.nanoseconds)
            if round > 0 { latencies.append((Double(times[1] - times[0]) / 1e6, Double(gone - times[0]) / 1e6)) }
        }
        _ = try worker.end()
        return [
            ResultRow(
                what: "\(stalled) stalled requests taken back: the last one gone, ms",
                ours: Ratios(latencies.map(\.back)).median.text + " ms until the last fetch is back", peers: "–",
                measured: Ratios(latencies.map(\.gone)), target: .most(20, " ms"))
        ]
    }
}
