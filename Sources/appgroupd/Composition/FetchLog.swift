import CoreMetrics
import Logging
import MediaFetcher
import NotificationModel
import Primitives

/// An observer that logs and counts the fetches of a daemon.
struct FetchLog: Sendable {
    /// The descriptions of the metrics, by name.
    static let meanings = [
        "appgroupd_transfers_total": "Requests to origins, by protocol and by failure.",
        "appgroupd_transfer_seconds": "Time of each phase of a transfer.",
        "appgroupd_transfer_bytes_total": "Bytes of response bodies on the wire.",
        "appgroupd_proxy_failures_total": "Requests for which the egress proxy opened no tunnel, by cause.",
    ]

    let logger: Logger
    private let bytes = Counter(label: "appgroupd_transfer_bytes_total")
    private let phases = Dictionary(
        uniqueKeysWithValues: ["dns", "connect", "tls", "wait", "body"].map { phase in
            (phase, Timer(label: "appgroupd_transfer_seconds", dimensions: [("phase", phase)]))
        })

    @Sendable func note(_ event: FetchEvent) {
        switch event {
        case .transferred(let transfer): count(transfer)
        case .tunnelFailed(let cause):
            Counter(label: "appgroupd_proxy_failures_total", dimensions: [("cause", cause.rawValue)]).increment()
        case .hostResting(let host, let rest):
            logger.warning(
                "media of the host have failed: it gets no requests for some time",
                metadata: ["host": "\(host)", "ms": "\(Int(rest.milliseconds))"])
        case .hostRecovered(let host):
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
        let dimensions = [
            ("protocol", transfer.protocolName ?? "none"), ("failure", transfer.failure?.rawValue ?? "none"),
        ]
        Counter(label: "appgroupd_transfers_total", dimensions: dimensions).increment()
        bytes.increment(by: transfer.wireBytes)
        let times = [
            ("dns", transfer.dns), ("connect", transfer.connect), ("tls", transfer.tls), ("wait", transfer.wait),
            ("body", transfer.body),
        ]
        for case (let phase, let time?) in times { phases[phase]?.recordNanoseconds(Int64(time.milliseconds * 1e6)) }
    }
}
