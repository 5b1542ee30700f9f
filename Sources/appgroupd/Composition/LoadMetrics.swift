import Batches
import NotificationModel
import Telemetry
import TranscodePool

/// The metrics of the queues of a daemon: its requests, its workers and its batches.
struct LoadMetrics: Sendable {
    let requests: @Sendable () -> RequestLoad
    let workers: @Sendable () -> PoolLoad
    let batches: @Sendable () -> BatchFigures

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let (requests, workers, batches) = (requests(), workers(), batches())
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
            MetricFamily(
                "appgroupd_batches", by: "state", ["ended": Double(batches.ended), "open": Double(batches.open)],
                help: "Stored batches, by whether they have ended."),
            MetricFamily(
                "appgroupd_batch_stored_bytes", .gauge, Double(batches.byteCount),
                help: "Bytes of the bodies and results of stored batches."),
            MetricFamily(
                name: "appgroupd_batch_lines_total", kind: .counter,
                help: "Lines of batches, by whether they were a request.",
                samples: [("emitted", batches.emittedLines), ("failed", batches.failedLines)].map { result, count in
                    .init(labels: [MetricLabel(name: "result", value: result)], value: Double(count))
                }),
        ]
    }
}
