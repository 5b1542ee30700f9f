import CoreMetrics
import LinuxIO
import Logging
import Telemetry
import TranscodePool

/// The log and the metrics of the workers. The events are counted. Workers that end by themselves are also logged.
struct WorkerLog: Sendable {
    /// The descriptions of the metrics, by name.
    static let meanings = [
        "appgroupd_workers_started_total": "Workers that were started.",
        "appgroupd_workers_ended_total":
            "Workers that ended, by cause: killed by the daemon, a signal, a status, or a start that failed.",
        "appgroupd_transcodes_overloaded_total":
            "Media for which the workers had no time, by whether they had been downloaded.",
        "appgroupd_transcodes_retried_total": "Media that were tried again after their worker had ended.",
        "appgroupd_transcodes_rested_total":
            "Media that were not tried, because they or other media of their host crashed a worker earlier.",
    ]

    let logger: Logger
    private let started = Counter(label: "appgroupd_workers_started_total")
    private let ends = CounterTable<String>("appgroupd_workers_ended_total") { cause in [("cause", cause)] }
    private let rested = Counter(label: "appgroupd_transcodes_rested_total")
    private let retried = Counter(label: "appgroupd_transcodes_retried_total")
    private let refused = Counter(label: "appgroupd_transcodes_overloaded_total", dimensions: [("downloaded", "no")])
    private let dropped = Counter(label: "appgroupd_transcodes_overloaded_total", dimensions: [("downloaded", "yes")])

    func note(_ event: PoolEvent) {
        switch event {
        case .workerStarted: started.increment()
        case .workerNotStarted: ends.increment("not-started")
        case .workerKilled: ends.increment("killed")
        case .workerRecycled: ends.increment("recycled")
        case .crashed(let digest, let host, let group, let hostResting):
            logger.warning(
                "a file crashed a worker, and is not tried for an hour",
                metadata: ["sha256": "\(digest)", "host": "\(host)"])
            guard hostResting else { return }
            logger.warning(
                "three files of a host crashed workers: its media are not tried for five minutes in this app group",
                metadata: ["host": "\(host)", "group": "\(group)"])
        case .rested: rested.increment()
        case .workerEnded(let end, let pid, let atJob):
            // All forbidden calls have one label, because an untrusted worker chooses the call that it reports.
            ends.increment(end.isViolation ? "forbidden-call" : "\(end)")
            logger.warning(
                "a worker ended by itself", metadata: ["by": "\(end)", "pid": "\(pid)", "atJob": "\(atJob)"])
        case .overloaded(let isDownloaded): (isDownloaded ? dropped : refused).increment()
        case .retried: retried.increment()
        }
    }
}
