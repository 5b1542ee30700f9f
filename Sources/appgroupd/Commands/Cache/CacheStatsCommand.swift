import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import HTTPAPI
import NotificationModel
import ServiceConfiguration
import StoreTools

struct CacheStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the bytes of the HTTP cache and the containers, by type and host.",
        discussion: """
            `stats` also prints the quotas and the oldest entries. The hit ratio is the share of media items that were \
            delivered without a download of their own since the running daemon started. If no daemon runs, there is no \
            hit ratio.

            Example:
              appgroupd cache stats --root ./var
            """)

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        var statistics = StoreStatistics()
        try await options.using {
            let reader = try StoreReader(root: configuration.root)
            try reader.forEachResponse { statistics.add($0) }
            let now = Date()
            try reader.forEachFile { statistics.add($0, at: now) }
        }
        statistics.hasDaemon = configuration.hasDaemon
        if statistics.hasDaemon {
            let answer = try? await DaemonClient(socketPath: configuration.socket).ask("GET", "/metrics")
            statistics.deliveries = answer.flatMap { MediaDeliveries(metrics: $0.text) }
        }
        let (cacheQuota, mediaQuota) = (configuration.fetch.cache.quota, configuration.media.container.quota)
        options.print(
            statistics.json(cacheQuota: cacheQuota, mediaQuota: mediaQuota),
            or: statistics.lines(cacheQuota: cacheQuota, mediaQuota: mediaQuota).joined(separator: "\n"))
    }
}

/// The numbers of delivered media items, by the value of `source.cache` in their results.
struct MediaDeliveries {
    private(set) var counts: [(cache: String, count: Int)] = []

    /// Reads the numbers from the text of `/metrics`; `nil` if the daemon has not delivered any media item.
    init?(metrics: String) {
        let start = "appgroupd_media_fetched_total{cache=\""
        for line in metrics.split(separator: "\n") where line.hasPrefix(start) {
            let rest = line.dropFirst(start.count)
            guard let value = rest.split(separator: " ").last.flatMap({ Double($0) }) else { continue }
            counts.append((String(rest.prefix { $0 != "\"" }), Int(value)))
        }
        if total == 0 { return nil }
    }

    var total: Int { counts.reduce(0) { $0 + $1.count } }
    /// The share of media items that caused no transfer, from 0 to 1.
    var hitRatio: Double {
        let misses = counts.reduce(0) { $0 + ($1.cache == "miss" ? $1.count : 0) }
        return Double(total - misses) / Double(total)
    }
}
