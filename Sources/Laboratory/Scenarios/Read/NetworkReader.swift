import Base
import Lab
import NotificationModel

/// The reader of `network` and `hosts`.
struct NetworkReader {
    let problems: ProblemList

    /// Returns the link, and the kind of network that the phone has, if the link is named.
    func link(_ node: ScenarioNode) -> (link: LinkShape, kind: NetworkKind?)? {
        guard node.members == nil else { return (shape(node), nil) }
        let names = LinkShape.named.map(\.key)
        guard let text = node.text, let named = LinkShape.named.first(where: { $0.key == text }) else {
            let near = node.text.flatMap { NearestWord.related(to: $0, among: names) }
            problems.add(
                node.mark,
                "network is \(node.shown): "
                    + (near.map { "did you mean \($0)?" }
                        ?? "write \(names.joined(separator: ", ")), or a mapping such as {down: 1.6Mbit/s, latency: 150ms}")
            )
            return nil
        }
        return (named.value, text == "wifi" ? .wifi : .cellular)
    }

    private func shape(_ node: ScenarioNode) -> LinkShape {
        let fields = FieldReader(node, "network", example: "{down: 1.6Mbit/s, latency: 150ms}", problems)
        var shape = LinkShape()
        shape.bytesPerSecond =
            fields.value("down", "a rate from 1kbit/s to 100Gbit/s, such as 1.6Mbit/s") { text in
                MeasureText.rate(text).flatMap { (125...12.5e9).contains($0) ? Int($0) : nil }
            }?.value
        shape.latency = fields.duration("latency")?.value ?? .zero
        shape.losesFirstConnection = fields.truth("firstConnectionLost")?.value ?? false
        if let node = fields.node("outage") {
            let fields = FieldReader(node, "outage", example: "{length: 3s, every: 20s}", problems)
            let (length, period) = (fields.duration("length"), fields.duration("every"))
            fields.finish()
            if let length, let period {
                if period.value > .zero, length.value < period.value {
                    shape.outage = LinkShape.Outage(length: length.value, period: period.value)
                } else {
                    problems.add(period.mark, "every must be longer than length, such as {length: 3s, every: 20s}")
                }
            } else if !fields.has("length") || !fields.has("every") {
                problems.add(node.mark, "outage needs length and every, such as {length: 3s, every: 20s}")
            }
        }
        fields.finish()
        return shape
    }

    private static let names: [(String, HostRule.Name)] = [
        ("nxdomain", .missing), ("servfail", .fails), ("timeout", .timeout), ("ipv6-only", .ipv6Only),
        ("private-address", .privateAddress),
    ]

    func hosts(_ node: ScenarioNode) -> [HostRule] {
        guard let members = node.members else {
            problems.add(node.mark, "hosts is \(node.shown): write a mapping, such as {cdn.example: {dns: nxdomain}}")
            return []
        }
        return members.map { member in
            let fields = FieldReader(member.value, "a host", example: "{dns: nxdomain}", problems)
            let rule = HostRule(
                host: member.name.value.lowercased(), name: fields.choice("dns", Self.names)?.value,
                nameDelay: fields.duration("dnsDelay")?.value ?? .zero,
                connection: fields.choice("connect", DeadPort.Kind.allCases.map { ($0.rawValue, $0) })?.value,
                certificate: fields.choice("certificate", CertificateFault.allCases.map { ($0.rawValue, $0) })?.value)
            fields.finish()
            return rule
        }
    }
}
