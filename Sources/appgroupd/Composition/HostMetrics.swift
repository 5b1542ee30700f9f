import NotificationModel
import Primitives
import Telemetry

/// The metrics of single hosts. Senders choose the hosts, so only the most used hosts have series of their own, and all
/// others share the series of `other` (``RankedNames``).
final class HostMetrics: Sendable {
    private struct Counts {
        var succeeded = 0
        var failed = 0
        var wireBytes = 0
        /// The number of transfers in each bucket. The last bucket is for transfers that took longer than all bounds.
        var buckets = [Int](repeating: 0, count: HostMetrics.bounds.count + 1)
        var seconds = 0.0
    }

    /// The upper bounds of the buckets, in seconds. Each bound is a series for each host, so they are few.
    static let bounds: [Double] = [0.1, 0.5, 1, 5, 10]

    private let clock: any RequestClock
    private let ranking = Guarded(RankedNames(empty: Counts()))

    init(clock: any RequestClock) { self.clock = clock }

    /// Counts a request to an origin. The lock is taken once for each transfer, which takes a thousand times as long.
    func note(_ transfer: TransferTiming) {
        let host = Self.host(of: transfer.origin)
        let time = [transfer.dns, transfer.connect, transfer.tls, transfer.wait, transfer.body].reduce(0.0) {
            $0 + ($1?.milliseconds ?? 0) / 1_000
        }
        let bucket = Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count
        ranking.withLock { ranking in
            ranking.use(host, at: clock.now) { counts in
                if transfer.failure == nil { counts.succeeded += 1 } else { counts.failed += 1 }
                counts.wireBytes += transfer.wireBytes
                counts.buckets[bucket] += 1
                counts.seconds += time
            }
        }
    }

    /// The label value of all hosts without series of their own.
    static let other = "other"

    /// Returns the host and port of an origin such as `https://cdn.example:8443`, without the scheme.
    private static func host(of origin: String) -> String {
        guard let start = origin.utf8.firstIndex(of: UInt8(ascii: ":")) else { return origin }
        let host = String(origin[start...].drop { $0 == ":" || $0 == "/" })
        // A host with this name gets the dot of a fully qualified name, because a series must not occur twice.
        return host == other ? host + "." : host
    }

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let (hosts, folded) = ranking.withLock { ($0.values + [(Self.other, $0.others)], $0.foldedUses) }
        var transfers: [MetricFamily.Sample] = []
        var bytes: [MetricFamily.Sample] = []
        var times: [MetricFamily.Sample] = []
        for (host, counts) in hosts {
            let label = MetricLabel(name: "host", value: host)
            for (result, count) in [("failed", counts.failed), ("succeeded", counts.succeeded)] {
                let labels = [label, MetricLabel(name: "result", value: result)]
                transfers.append(.init(labels: labels, value: Double(count)))
            }
            bytes.append(.init(labels: [label], value: Double(counts.wireBytes)))
            times += MetricFamily.Sample.histogram(
                bounds: Self.bounds, counts: counts.buckets, sum: counts.seconds, labels: [label])
        }
        return [
            MetricFamily(
                name: "appgroupd_host_transfers_total", kind: .counter,
                help: "Requests to the most used hosts, by result. The host other has all other hosts.",
                samples: transfers),
            MetricFamily(
                name: "appgroupd_host_transfer_bytes_total", kind: .counter,
                help: "Bytes of response bodies on the wire, by host.", samples: bytes),
            MetricFamily(
                name: "appgroupd_host_transfer_seconds", kind: .histogram,
                help: "Time of a request to an origin, by host.", samples: times),
            MetricFamily(
                "appgroupd_host_transfers_folded_total", .counter, Double(folded),
                help: "Requests to origins that were counted under the host other."),
        ]
    }
}
