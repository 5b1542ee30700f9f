import NotificationModel

extension HostTable {
    /// The label value of all hosts without series. It has no port, so it is no host.
    private static let other = "other"

    /// Returns the metrics of single hosts. `MetricsRegistry` calls this function.
    @Sendable package func families() -> [MetricFamily] {
        let (hosts, others) = series()
        var transfers: [MetricFamily.Sample] = []
        var bytes: [MetricFamily.Sample] = []
        var times: [MetricFamily.Sample] = []
        for (host, figures) in hosts + [(Self.other, others)] {
            let label = MetricLabel(name: "host", value: host)
            let (failed, cancelled) = (figures.failed, figures.failures[.cancelled] ?? 0)
            let succeeded = figures.requests - failed - cancelled
            for (result, count) in [("cancelled", cancelled), ("failed", failed), ("succeeded", succeeded)] {
                let labels = [label, MetricLabel(name: "result", value: result)]
                transfers.append(.init(labels: labels, value: Double(count)))
            }
            bytes.append(.init(labels: [label], value: Double(figures.bytes)))
            times += MetricFamily.Sample.histogram(
                bounds: HostFigures.bounds, counts: figures.times, sum: figures.seconds, labels: [label])
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
                "appgroupd_host_transfers_folded_total", .counter, Double(others.requests),
                help: "Requests to origins that were counted under the host other."),
        ]
    }
}
