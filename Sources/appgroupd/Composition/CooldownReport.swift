import Base
import MediaFetcher
import Telemetry

/// A report of the hosts that get no requests at the moment because of failures, for `/v1/status` and `/metrics`.
struct CooldownReport: Sendable {
    /// The maximum number of hosts that are named.
    private static let maxNames = 20

    let table: CooldownTable

    /// The report for `/v1/status`, such as `{"count": 1, "hosts": [{"host": "media.example:443", "restMs": 1500}]}`.
    var json: JSONValue {
        let hosts = table.hosts(at: .now)
        let named = hosts.prefix(Self.maxNames).map { host -> JSONValue in
            ["host": .string(host.host), "restMs": .number(Int(host.cooldown.milliseconds))]
        }
        return ["count": .number(hosts.count), "hosts": .array(named)]
    }

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        [
            MetricFamily(
                "appgroupd_resting_hosts", .gauge, Double(table.hosts(at: .now).count),
                help: "Hosts that get no requests for a while, because media of them have failed.")
        ]
    }
}
