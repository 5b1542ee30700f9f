import Base
import HTTPCaching
import Telemetry

/// The metrics of the HTTP cache. They are read every 15 seconds, because a scrape must not wait for a slow disk.
final class CacheMetrics: Sendable {
    private static let interval: Duration = .seconds(15)

    private let cache: ResponseCache
    private let clock: any RequestClock
    /// The statistics that were read last; `nil` before the first reading.
    private let last = Guarded<ResponseCacheStatistics?>(nil)

    init(cache: ResponseCache, clock: any RequestClock) {
        self.cache = cache
        self.clock = clock
    }

    /// Reads the statistics until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let statistics = await cache.statistics()
            last.withLock { $0 = statistics }
            await clock.sleep(until: clock.now.advanced(by: Self.interval))
        }
    }

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        guard let statistics = last.withLock({ $0 }) else { return [] }
        let fromIndex = statistics.lookups - statistics.lookupsFromMemory
        return [
            MetricFamily(
                "appgroupd_cache_bytes", .gauge, Double(statistics.bytes), help: "Bytes of the HTTP cache."),
            MetricFamily(
                "appgroupd_cache_responses", .gauge, Double(statistics.entries), help: "Responses in the HTTP cache."),
            MetricFamily(
                name: "appgroupd_cache_lookups_total", kind: .counter,
                help: "Look-ups in the HTTP cache, by whether the memory was enough or the index was read.",
                samples: [("index", fromIndex), ("memory", statistics.lookupsFromMemory)].map { place, count in
                    .init(labels: [MetricLabel(name: "from", value: place)], value: Double(count))
                }),
            MetricFamily(
                "appgroupd_cache_evicted_total", .counter, Double(statistics.evicted),
                help: "Responses that were evicted from the HTTP cache to free space."),
            MetricFamily(
                "appgroupd_cache_refused_total", .counter, Double(statistics.refused),
                help: "Responses that the HTTP cache did not store, because of their size or the disk."),
        ]
    }
}
