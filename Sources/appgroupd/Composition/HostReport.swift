import Base
import MediaFetcher
import NotificationModel
import Telemetry

/// The report of `GET /v1/hosts`: the figures of the hosts, each with the state of its circuit breaker.
struct HostReport: Sendable {
    let table: HostTable
    let resting: CooldownTable

    /// Returns the first hosts in an order, and the sum of all other hosts.
    ///
    /// - Parameter most: The maximum number of hosts that are named.
    func json(by order: HostOrder, most: Int, at now: MonotonicInstant) -> JSONValue {
        let report = table.report(by: order, most: most, at: now)
        let rests = Dictionary(resting.hosts(at: now).map { ($0.host, $0.cooldown) }) { first, _ in first }
        let hosts = report.hosts.map { host, figures -> JSONValue in
            var members: JSONObject = ["host": .string(host)]
            for member in figures.json.members { members.append(member.key, member.value) }
            members.append("breaker", rests[host] == nil ? "closed" : "open")
            members.append("restMs", rests[host].map { .number(Int($0.milliseconds)) } ?? .null)
            return .object(members)
        }
        var other: JSONObject = ["hosts": .number(report.otherHosts)]
        for member in report.other.json.members { other.append(member.key, member.value) }
        return [
            "windowMs": .number(Int(report.covered.milliseconds)), "hosts": .array(hosts), "other": .object(other),
        ]
    }
}
