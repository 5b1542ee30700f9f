import Logging
import MediaFetcher
import Primitives

/// An observer that logs and counts the fetches of a daemon.
struct FetchLog: Sendable {
    let logger: Logger
    private let metrics = FetchMetrics()

    init(logger: Logger) { self.logger = logger }

    @Sendable func note(_ event: FetchEvent) {
        metrics.count(event)
        switch event {
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
        case .transferred, .certificatesUnreadable, .tunnelFailed: break
        }
    }
}
