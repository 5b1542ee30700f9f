import AppGroupStore
import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import HTTPCaching
import NotificationModel
import ServiceConfiguration

struct CacheGcCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Evict the entries that exceed the limits.",
        discussion: """
            The limits are fetch.cacheQuota, media.quota and media.retention of the configuration. A running daemon \
            evicts these entries each minute. Files that a request still needs are kept.

            Status 1: a file could not be removed.

            Example:
              appgroupd cache gc --root ./var
            """)

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        let (cache, container) = try await options.using {
            (try await Self.collectResponses(configuration), try await Self.collectFiles(configuration))
        }
        options.print(Self.json(cache, container), or: Self.text(cache, container))
        guard container.excess != .evictionFailed else { throw CommandFailure(.failed) }
    }

    private static func collectResponses(_ configuration: Configuration) async throws -> ResponseCacheStatistics {
        let limits = configuration.fetch.cache
        let cache = try ResponseCache(root: configuration.root, limits: limits, warn: StandardStreams.warn)
        await cache.collect()
        let statistics = await cache.statistics()
        await cache.shutdown()
        return statistics
    }

    private static func collectFiles(_ configuration: Configuration) async throws -> EvictionReport {
        try StoreVersions.checkMigrations(in: configuration.root)
        let store = try AppGroupStore(root: configuration.root, warn: StandardStreams.warn)
        let report = await store.evict(within: ContainerLimits(configuration), at: Date())
        await store.shutdown()
        return report
    }

    private static func json(_ cache: ResponseCacheStatistics, _ container: EvictionReport) -> JSONValue {
        [
            "responses": [
                "evicted": .number(cache.evicted), "kept": .number(cache.entries), "keptBytes": .number(cache.bytes),
            ],
            "files": [
                "expired": .number(container.expiredFiles), "evicted": .number(container.evictedFiles),
                "freedBytes": .number(container.freedBytes), "keptBytes": .number(container.keptBytes),
                "isOverQuota": .bool(container.excess != nil),
            ],
        ]
    }

    private static func text(_ cache: ResponseCacheStatistics, _ container: EvictionReport) -> String {
        var text = """
            HTTP cache: evicted \(HumanText.counted(cache.evicted, "response")), \(cache.entries) are left \
            (\(HumanText.bytes(cache.bytes)))
            containers: removed \(HumanText.counted(container.expiredFiles, "file")) after their retention and \
            \(container.evictedFiles) over the quota (\(HumanText.bytes(container.freedBytes))), \
            \(HumanText.bytes(container.keptBytes)) are left
            """
        if container.excess == .filesInUse {
            text += ": this is more than the quota, because requests need these files"
        }
        return text
    }
}
