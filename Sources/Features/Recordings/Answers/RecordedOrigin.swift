import Base
import NotificationModel

/// The answers of all origins that a request met, as the keys `origin` and `hosts` of a scenario.
struct RecordedOrigin {
    /// The answers to the first, the second and each further request for a path.
    private(set) var answers: [(key: String, list: [ScenarioValue])] = []
    private(set) var hosts: [(host: String, faults: [ScenarioMember])] = []

    /// Reads the verdicts of a result.
    ///
    /// - Parameter budget: The budget of the request. A wait that exceeds it has this length and ten seconds more.
    /// - Parameter keep: A function that keeps a body with an extension, and returns its path relative to the scenario.
    init(
        _ verdicts: [Verdict], budget: Duration, redacting urls: inout URLRedaction,
        keep: (RecordedAnswer.Body, String) throws -> String
    ) throws {
        for verdict in verdicts {
            let known = Set(answers.map(\.key))
            let transfers = verdict.transfers.filter { $0.record != nil }
            guard !transfers.isEmpty else {
                // The URL of an item such as `mxc://` is known only from its transfers.
                if ["http://", "https://"].contains(where: verdict.url.lowercased().hasPrefix) {
                    note(unmet: verdict, url: urls.url(verdict.url), budget: budget)
                }
                continue
            }
            for (index, timing) in transfers.enumerated() {
                guard let record = timing.record else { continue }
                let url = urls.url(record.url)
                let host = Self.host(of: url)
                let same = transfers.filter { Self.host(of: $0.record?.url ?? "") == host }
                note(lead: timing, of: verdict, at: host, isFirst: index == 0, isOnly: same.count == 1)
                if same.allSatisfy({ $0.status == nil }), let fault = Self.fault(before: timing, verdict) {
                    note(fault, at: host)
                    continue
                }
                // The same URL in two media items is fetched once.
                guard !known.contains(Self.key(of: url)) else { continue }
                let answer = RecordedAnswer(timing: timing, answer: record.answer)
                let faults = try answer.faults {
                    urls.url(URIReference(record.url).resolving(WebURL.repaired($0)))
                } keep: {
                    try keep($0, Self.fileExtension(of: url))
                }
                // A second connection sent the same request, because the first one did not answer.
                if timing.isHedged { append(.mapping(("stall", .text("headers"))), at: url) }
                append(faults, at: url)
            }
        }
    }

    /// The rules, with one answer in place of a list whose answers are equal.
    var rules: [ScenarioMember] {
        answers.map { rule in
            var list = rule.list
            // The last answer is repeated.
            while list.count > 1, list[list.count - 1] == list[list.count - 2] { list.removeLast() }
            return ScenarioMember(rule.key, list.count == 1 ? list[0] : .list(list))
        }
    }

    // MARK: Requests

    private mutating func append(_ answer: ScenarioValue, at url: String) {
        let key = Self.key(of: url)
        if let index = answers.firstIndex(where: { $0.key == key }) {
            answers[index].list.append(answer)
        } else {
            answers.append((key, [answer]))
        }
    }

    private mutating func note(_ fault: ScenarioMember, at host: String) {
        if let index = hosts.firstIndex(where: { $0.host == host }) {
            if !hosts[index].faults.contains(where: { $0.key == fault.key }) { hosts[index].faults.append(fault) }
        } else {
            hosts.append((host, [fault]))
        }
    }

    /// Notes the time before a request: that of the name, and for a single request that of its turn and its connection.
    private mutating func note(
        lead timing: TransferTiming, of verdict: Verdict, at host: String, isFirst: Bool, isOnly: Bool
    ) {
        var lead = timing.dns ?? .zero
        if isOnly {
            lead += (timing.connect ?? .zero) + (timing.tls ?? .zero)
            if isFirst, let queue = verdict.stages.first, queue.name == .queue { lead += queue.duration }
        }
        // The laboratory looks up no addresses.
        for fault in RecordedAnswer.time("dnsDelay", lead) { note(fault, at: host) }
    }

    /// Returns the fault of a host to which no connection was made; `nil` if a response broke off later.
    private static func fault(before timing: TransferTiming, _ verdict: Verdict) -> ScenarioMember? {
        let connecting = verdict.stages.filter { $0.name == .connect }.map(\.duration).max() ?? .zero
        switch timing.failure {
        case .tlsFailed?: return ScenarioMember("certificate", .text(certificate(verdict.failure?.detail ?? "")))
        case .connectFailed?:
            return ScenarioMember("connect", .text(connecting >= .seconds(1) ? "black-hole" : "refused"))
        case .budgetExceeded? where timing.wait == nil: return ScenarioMember("connect", .text("black-hole"))
        default: return nil
        }
    }

    private static func certificate(_ detail: String) -> String {
        let detail = detail.lowercased()
        if detail.contains("expired") { return "expired" }
        return detail.contains("self") ? "self-signed" : "wrong-host"
    }

    // MARK: Items without a request

    /// Notes a media item for which no request was sent: it came from a cache, its name has no address, its turn never
    /// came, or its failure was remembered from an earlier request.
    private mutating func note(unmet verdict: Verdict, url: String, budget: Duration) {
        let host = Self.host(of: url)
        let tooLong = ScenarioMember("dnsDelay", .text("\(Int((budget + .seconds(10)).seconds.rounded(.up)))s"))
        switch verdict.failure?.reason {
        case nil: append(.text("ok"), at: url)
        case .dnsFailed?:
            let detail = verdict.failure?.detail ?? ""
            let name =
                detail.contains("not exist") ? "nxdomain" : detail.contains("not answer") ? "timeout" : "servfail"
            note(ScenarioMember("dns", .text(name)), at: host)
            // The laboratory asks three times, with pauses of 300 ms in all, and remembers no failure.
            let whole = verdict.stages.reduce(Duration.zero) { $0 + $1.duration }
            let delay = RecordedAnswer.time("dnsDelay", (whole - .milliseconds(300)) / 3)
            if name != "timeout" { for fault in delay { note(fault, at: host) } }
        case .forbiddenAddress?: note(ScenarioMember("dns", .text("private-address")), at: host)
        case .budgetExceeded?:
            note(tooLong, at: host)
            append(.mapping(("stall", .text("headers"))), at: url)
        case .httpStatus?: append(.mapping(("status", .text("404"))), at: url)
        case .connectFailed?: note(ScenarioMember("connect", .text("refused")), at: host)
        case .tlsFailed?: note(ScenarioMember("certificate", .text("self-signed")), at: host)
        case .tooLarge?:
            append(.mapping(("header", .mapping(("Content-Length", .text("999999999999"))))), at: url)
        case .unsupportedMedia?: append(.text("page"), at: url)
        case .redirectRefused?: append(.mapping(("redirect", .text("loop"))), at: url)
        // The payload, the recipient or the policy decides.
        default: append(.text("ok"), at: url)
        }
    }

    // MARK: Names

    /// Returns the host and the path of a URL, by which a scenario lists it.
    private static func key(of url: String) -> String { host(of: url) + URIReference(url).path }

    private static func host(of url: String) -> String {
        URIReference(url).hostAndPort.map { String($0.host).lowercased() } ?? ""
    }

    private static func fileExtension(of url: String) -> String {
        MediaFormat.named(fileOf: String(URIReference(url).path))?.fileExtension ?? "bin"
    }
}
