import AppGroupStore
import CoreMetrics
import Logging

/// The log and the metrics of evictions. An eviction is logged if files were removed or the quota is exceeded.
struct ContainerLog: Sendable {
    /// The descriptions of the metrics, by name.
    static let meanings = [
        "appgroupd_container_bytes": "Bytes of stored media in all app groups.",
        "appgroupd_container_evicted_files_total": "Media files that were evicted by media.quota or media.retention.",
    ]

    let logger: Logger
    private let bytes = Gauge(label: "appgroupd_container_bytes")
    private let files = Counter(label: "appgroupd_container_evicted_files_total")

    private static func warning(of excess: EvictionReport.Excess) -> Logger.Message {
        switch excess {
        case .filesInUse: "the container exceeds its quota, and requests need all of its files: raise media.quota"
        case .evictionFailed:
            """
            the container is over its quota, because files cannot be removed or the index of a group cannot be used: \
            the errors about them say why
            """
        }
    }

    /// Counts and logs one eviction.
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
        if let excess = report.excess {
            logger.warning(Self.warning(of: excess), metadata: ["keptBytes": "\(report.keptBytes)"])
        }
    }
}
