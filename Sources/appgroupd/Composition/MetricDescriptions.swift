import Callbacks
import HTTPAPI
import Matrix
import Receivers
import Recordings
import RequestCoordinator
import Telemetry

/// The descriptions of all metrics that parts of the daemon record. The other metrics come from sources, which
/// ``Daemon`` adds to the registry, and which have descriptions of their own.
enum MetricDescriptions {
    static let all: [String: MetricDescription] = {
        let meanings = [
            CoordinatorMetrics.meanings, ReceiptMetrics.meanings, HTTPMetrics.meanings, MatrixGateway.meanings,
            FetchLog.meanings, WorkerLog.meanings, ContainerLog.meanings, Callbacks.meanings,
            RequestRecorder.meanings,
        ]
        var all: [String: MetricDescription] = [:]
        for (name, help) in meanings.joined() {
            all[name] = MetricDescription(
                help: help, buckets: CoordinatorMetrics.buckets[name] ?? MetricDescription.seconds)
        }
        return all
    }()
}
