import AppGroupStore
import CommandSupport
import FoundationEssentials
import HTTPCacheStore
import HTTPCaching
import LinuxIO
import MediaFetcher
import NotificationModel
import Primitives

/// The fetcher and the cache of `lab proxy`, on a root that may be temporary.
final class ProxyBed: Sendable {
    private static let budget: Duration = .seconds(30)

    let root: String
    private let cache: ResponseCache
    private let fetcher: HTTPMediaFetcher
    private let largestBody: Int
    private let isTemporary: Bool

    /// Creates the fetcher, and its cache in a root.
    ///
    /// - Parameter root: The directory of the cache. `nil` means a new directory, which `close` removes.
    /// - Throws: A failure with status 2 if the directory cannot be used.
    init(root: String?, policy: FetchPolicy) throws(CommandFailure) {
        let path = root ?? "\(FileManager.default.temporaryDirectory.path)/appgroupd-proxy-\(UUID().uuidString)"
        self.root = path
        isTemporary = root == nil
        let limits = ResponseCacheLimits()
        largestBody = limits.largest
        do throws(SystemError) {
            try FileSystem.makeDirectories(path)
            cache = try ResponseCache(
                root: path, limits: limits, warn: { StandardStreams.error("appgroupd: \($0)") })
        } catch {
            throw CommandFailure(
                .usage, "--root \(path): \(error.reason): name a directory that this user can write to")
        }
        do throws(MediaFailure) {
            fetcher = try HTTPMediaFetcher(policy: policy, store: cache, userAgent: "appgroupd/\(Installation.version)")
        } catch {
            throw CommandFailure(.failed, error.detail)
        }
    }

    func answer(_ request: OriginRequest) async -> Result<CachedResponse, MediaFailure> {
        await fetcher.exchange(
            ExchangeRequest(
                request, deadline: .now + Self.budget, largestBody: largestBody,
                makeFile: { () throws(MediaFailure) in try self.file() }))
    }

    private func file() throws(MediaFailure) -> MediaFile {
        do throws(SystemError) { return try AnonymousFile.create(in: root) } catch {
            throw MediaFailure(.storageFailed, "no file can be created in \(root): \(error)")
        }
    }

    /// Shuts down the fetcher and the cache. Call this function once, after the last request.
    func close() async {
        await fetcher.shutdown()
        await cache.shutdown()
        if isTemporary { try? FileManager.default.removeItem(atPath: root) }
    }
}
