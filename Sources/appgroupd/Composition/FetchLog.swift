import Base
import CoreMetrics
import Logging
import MediaFetcher
import NotificationModel
import Telemetry

/// An observer that logs and counts the fetches of a daemon.
struct FetchLog: Sendable {
    /// The descriptions of the metrics, by name.
    static let meanings = [
        "appgroupd_transfers_total": "Requests to origins, by protocol and by failure.",
        "appgroupd_transfer_seconds": "Time of each phase of a transfer.",
        "appgroupd_transfer_bytes_total": "Bytes of response bodies on the wire.",
        "appgroupd_proxy_failures_total": "Requests for which the egress proxy opened no tunnel, by cause.",
        "appgroupd_breakers_opened_total": "Pauses of hosts, because media of them have failed.",
        "appgroupd_breakers_closed_total": "Ends of pauses of hosts, because a transfer of them has succeeded.",
    ]

    private struct Ending: Hashable, Sendable {
        let protocolName: String?
        let failure: DegradationReason?
    }

    let logger: Logger
    let hosts: HostTable
    private let transfers = CounterTable<Ending>("appgroupd_transfers_total") { ending in
        [("protocol", ending.protocolName ?? "none"), ("failure", ending.failure?.rawValue ?? "none")]
    }
    private let tunnelFailures = CounterTable<ProxyFailure.Cause>("appgroupd_proxy_failures_total") { cause in
        [("cause", cause.rawValue)]
    }
    private let opened = Counter(label: "appgroupd_breakers_opened_total")
    private let closed = Counter(label: "appgroupd_breakers_closed_total")
    private let bytes = Counter(label: "appgroupd_transfer_bytes_total")
    private let phases = Dictionary(
        uniqueKeysWithValues: ["dns", "connect", "tls", "wait", "body"].map { phase in
            (phase, Timer(label: "appgroupd_transfer_seconds", dimensions: [("phase", phase)]))
        })

    @Sendable func note(_ event: FetchEvent) {
        switch event {
        case .transferred(let transfer): count(transfer)
        case .tunnelFailed(let cause):
            tunnelFailures.increment(cause)
        case .hostResting(let host, let rest):
            opened.increment()
            logger.warning(
                "media of the host have failed: it gets no requests for some time",
                metadata: ["host": "\(host)", "ms": "\(Int(rest.milliseconds))"])
        case .hostRecovered(let host):
            closed.increment()
            logger.notice("the host works again", metadata: ["host": "\(host)"])
        case .proxyFails(let proxy, let problem):
            logger.warning(
                "the egress proxy cannot be used: no media are fetched through it until it works",
                metadata: ["proxy": "\(proxy)", "problem": "\(problem)"])
        case .proxyRecovered(let proxy):
            logger.notice("the egress proxy works again", metadata: ["proxy": "\(proxy)"])
        case .certificatesUnreadable: break
        }
    }

    private func count(_ transfer: TransferTiming) {
        transfers.increment(Ending(protocolName: transfer.protocolName, failure: transfer.failure))
        hosts.note(transfer, at: .now)
        bytes.increment(by: transfer.wireBytes)
        let times = [
            ("dns", transfer.dns), ("connect", transfer.connect), ("tls", transfer.tls), ("wait", transfer.wait),
            ("body", transfer.body),
        ]
        for case (let phase, let time?) in times { phases[phase]?.recordNanoseconds(time.nanoseconds) }
    }
}
