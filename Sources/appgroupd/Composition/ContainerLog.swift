import AppGroupStore
import CoreMetrics
import Logging

/// Tells what becomes of the container: in numbers always, in words when something went or nothing can.
struct ContainerLog: Sendable {
    /// By name.
    static let meanings = [
        "appgroupd_container_bytes": "Bytes of the media that are kept, over all groups.",
        "appgroupd_container_evicted_files_total":
            "Media that made room, or had not been used for as long as they are kept.",
    ]

    let logger: Logger
    private let bytes = Gauge(label: "appgroupd_container_bytes")
    private let files = Counter(label: "appgroupd_container_evicted_files_total")

    init(logger: Logger) { self.logger = logger }

    func tell(_ report: EvictionReport) {
        bytes.record(report.keptBytes)
        let gone = report.expiredFiles + report.evictedFiles
        files.increment(by: gone)
        if gone > 0 {
            logger.info(
                "made room",
                metadata: [
                    "expired": "\(report.expiredFiles)", "evicted": "\(report.evictedFiles)",
                    "freedBytes": "\(report.freedBytes)", "keptBytes": "\(report.keptBytes)",
                ])
        }
        if report.isOverQuota {
            logger.warning(
                "the container is over its quota, and all of it is needed: raise media.quota",
                metadata: ["keptBytes": "\(report.keptBytes)"])
        }
    }
}
