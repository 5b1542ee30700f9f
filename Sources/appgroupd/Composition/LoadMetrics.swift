import NotificationModel
import Telemetry
import TranscodePool

/// The metrics of the queues of a daemon: its requests and its workers.
struct LoadMetrics: Sendable {
    let requests: @Sendable () -> RequestLoad
    let workers: @Sendable () -> PoolLoad

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let (requests, workers) = (requests(), workers())
        return [
            MetricFamily(
                "appgroupd_requests_running", .gauge, Double(requests.running),
                help: "Accepted requests with media in progress."),
            MetricFamily(
                "appgroupd_requests_queued", .gauge, Double(requests.queued),
                help: "Accepted requests without a result, none of whose media are in progress."),
            MetricFamily(
                "appgroupd_workers", by: "state", ["busy": Double(workers.busy), "idle": Double(workers.idle)],
                help: "Running workers, by whether they have a job."),
            MetricFamily(
                "appgroupd_workers_limit", .gauge, Double(workers.most),
                help: "Largest number of workers for notifications (workers)."),
            MetricFamily(
                "appgroupd_transcodes_waiting", .gauge, Double(workers.waiting),
                help: "Downloaded media that wait for a worker."),
        ]
    }
}
