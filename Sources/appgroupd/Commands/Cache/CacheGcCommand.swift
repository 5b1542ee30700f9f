import AppGroupStore
import ArgumentParser
import CommandSupport
import FoundationEssentials
import HTTPCacheStore
import JSON
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
        let outcome: (cache: ResponseCacheStatistics, container: EvictionReport)
        do { outcome = try await Self.collect(configuration) } catch { throw CommandFailure(store: error) }
        StandardStreams.output(
            options.json ? JSONWriter.text(of: Self.json(outcome)) : Self.text(of: outcome))
        guard outcome.container.excess != .evictionFailed else { throw CommandFailure(.failed) }
    }

    private static func collect(
        _ configuration: Configuration
    ) async throws -> (cache: ResponseCacheStatistics, container: EvictionReport) {
        let warn: @Sendable (String) -> Void = { StandardStreams.error("appgroupd: \($0)") }
        let cache = try ResponseCache(
            root: configuration.root, limits: configuration.fetch.cache,
            warn: warn)
        await cache.collect()
        let statistics = await cache.statistics()
        await cache.shutdown()
        let store = try AppGroupStore(root: configuration.root, warn: warn)
        let report = await store.evict(within: configuration.media.container, at: Date())
        await store.shutdown()
        return (statistics, report)
    }

    private static func json(_ outcome: (cache: ResponseCacheStatistics, container: EvictionReport)) -> JSONValue {
        func number(_ count: Int) -> JSONValue { .number(JSONNumber(count)) }
        return [
            "responses": [
                "evicted": number(outcome.cache.evicted), "kept": number(outcome.cache.entries),
                "keptBytes": number(outcome.cache.bytes),
            ],
            "files": [
                "expired": number(outcome.container.expiredFiles), "evicted": number(outcome.container.evictedFiles),
                "freedBytes": number(outcome.container.freedBytes), "keptBytes": number(outcome.container.keptBytes),
                "isOverQuota": .bool(outcome.container.excess != nil),
            ],
        ]
    }

    private static func text(of outcome: (cache: ResponseCacheStatistics, container: EvictionReport)) -> String {
        let (cache, container) = outcome
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
