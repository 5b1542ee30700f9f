import JSON
import MediaFetcher
import Primitives
import Telemetry

/// A report of the hosts that get no requests at the moment because of failures, for `/v1/status` and `/metrics`.
struct RestingHostReport: Sendable {
    /// The maximum number of hosts that are named.
    private static let mostNames = 20

    let table: RestingHostTable

    /// The report for `/v1/status`, such as `{"count": 1, "hosts": [{"host": "media.example:443", "restMs": 1500}]}`.
    var json: JSONValue {
        let hosts = table.hosts(at: .now)
        return .object([
            "count": .number(JSONNumber(hosts.count)),
            "hosts": .array(
                hosts.prefix(Self.mostNames).map { host in
                    .object([
                        "host": .string(host.host), "restMs": .number(JSONNumber(Int(host.rest.milliseconds))),
                    ])
                }),
        ])
    }

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        [
            MetricFamily(
                name: "appgroupd_resting_hosts", kind: .gauge,
                help: "Hosts that get no requests for a while, because media of them have failed.",
                samples: [.init(value: Double(table.hosts(at: .now).count))])
        ]
    }
}
