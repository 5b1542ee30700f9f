import FeatureKit
import Features
import HTTPAPI
import RequestCoordinator
import Telemetry

/// The descriptions of all metrics that parts of the daemon record. The other metrics come from sources, which
/// ``Daemon`` adds to the registry, and which have descriptions of their own.
enum MetricDescriptions {
    static let all: [String: MetricDescription] = {
        let meanings =
            [
                CoordinatorMetrics.meanings, HTTPMetrics.meanings, FetchLog.meanings, WorkerLog.meanings,
                ContainerLog.meanings, RequestRecorder.meanings,
            ] + Features.all.map { $0.meanings }
        var all: [String: MetricDescription] = [:]
        for (name, help) in meanings.joined() {
            all[name] = MetricDescription(
                help: help, buckets: CoordinatorMetrics.buckets[name] ?? MetricDescription.seconds)
        }
        return all
    }()
}
