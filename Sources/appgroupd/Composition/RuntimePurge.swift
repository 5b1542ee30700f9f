import AppGroupStore
import FeatureKit
import HTTPCaching
import LinuxIO
import Logging
import MediaFetcher
import NotificationModel
import NotificationProcessor
import StoreTools

/// A purge of the stores of a running daemon, and of the entries that its parts have in memory.
struct RuntimePurge: CachePurging {
    let runtime: Runtime
    let logger: Logger

    func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport {
        let target = try target.canonical()
        runtime.fetcher.startAnew()
        // A request during the purge can put renditions into memory again, although their files are removed.
        defer {
            runtime.pipeline.forgetRenditions()
            runtime.fetcher.forgetFailures()
        }
        do throws(MediaFailure) {
            let report = try await purgeStores(target)
            logger.notice(
                "purged",
                metadata: ["responses": "\(report.responses)", "files": "\(report.files)", "bytes": "\(report.bytes)"])
            return report
        } catch {
            logger.error("not purged: \(error.detail)")
            throw error
        }
    }

    private func purgeStores(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport {
        if let cache = runtime.cache { return try await CachePurge(cache: cache, store: runtime.store).purge(target) }
        // The cache is off now, but may have responses from an earlier configuration.
        return try await CachePurge.run(target, in: runtime.root, runtime.store)
    }
}

extension CachePurge {
    init(cache: ResponseCache, store: AppGroupStore) {
        self.init(cache: cache, store: store, canonical: { PurgeTarget.canonicalURL($0) })
    }

    /// Purges a root with a connection to its cache that is closed afterwards.
    static func run(
        _ target: PurgeTarget, in root: String, _ store: AppGroupStore
    ) async throws(MediaFailure) -> PurgeReport {
        let cache: ResponseCache
        do throws(SystemError) { cache = try ResponseCache(root: root) } catch {
            throw MediaFailure(.storageFailed, "the thread of the cache cannot be started: \(error)")
        }
        let result: Result<PurgeReport, MediaFailure>
        let purge = CachePurge(cache: cache, store: store)
        do throws(MediaFailure) { result = .success(try await purge.purge(target)) } catch { result = .failure(error) }
        await cache.shutdown()
        return try result.get()
    }
}
