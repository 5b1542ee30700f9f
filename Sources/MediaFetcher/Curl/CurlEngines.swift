import LinuxIO
import NotificationModel

/// Several engines on one thread, each host with one of them.
///
/// Whenever a transfer is over, libcurl 7.88 goes through the connections of its multi handle until it finds the
/// transfer's own: with 2,000 that stand still, that was a tenth of all that a download costs. Hosts that hang cost only
/// those something that share their engine.
final class CurlEngines {
    private static let count = 16

    private let engines: [CurlEngine]

    init(loop: EventLoop, userAgent: String) throws(MediaFailure) {
        let room = CurlStockRoom()
        var engines: [CurlEngine] = []
        for _ in 0..<Self.count { engines.append(try CurlEngine(loop: loop, userAgent: userAgent, room: room)) }
        self.engines = engines
    }

    /// - Parameter host: with its port.
    subscript(host: String) -> CurlEngine {
        var hasher = Hasher()
        hasher.combine(host)
        return engines[Int(UInt(bitPattern: hasher.finalize()) % UInt(engines.count))]
    }

    func change(_ limits: FetchLimits) {
        // As many connections are kept as may be used at a time; of those of one host all.
        let all = limits.connections + limits.standing
        let ofHost = limits.connectionsPerHost + limits.standingPerHost
        let kept = max(all / engines.count, min(all, ofHost))
        for engine in engines { engine.keep(connections: kept) }
    }

    func shutdown() {
        for engine in engines { engine.shutdown() }
    }
}
