import AppGroupStore
import Base
import FeatureKit
import FoundationEssentials
import HTTPCaching
import LinuxIO
import MediaFetcher
import NotificationModel

/// The fetcher and the cache of `lab proxy`, on a root that may be temporary.
///
/// The proxy connects the cache to the fetcher's `forward`, which sends each request once. Identical requests are not
/// coalesced, because the fields of each request may ask for a different response.
final class ProxyBench: Sendable {
    /// The time limit of one request, and of one background validation.
    private static let budget: Duration = .seconds(30)
    private static let maxValidations = 64

    let root: String
    private let cache: ResponseCache
    private let fetcher: HTTPMediaFetcher
    private let policy: FetchPolicy
    private let largestBody: Int
    private let isTemporary: Bool
    /// The running background validations (RFC 5861 §3), by the keys of their stored responses.
    private let validations = Guarded<[String: Task<Void, Never>]>([:])

    /// - Parameter root: The directory of the cache; `nil` for a new directory, which `close` removes.
    /// - Throws: A failure with status 2 if the directory cannot be used.
    init(root: String?, policy: FetchPolicy) throws(CommandFailure) {
        let path = root ?? "\(FileManager.default.temporaryDirectory.path)/appgroupd-proxy-\(UUID().uuidString)"
        self.root = path
        isTemporary = root == nil
        self.policy = policy
        let limits = ResponseCacheLimits()
        largestBody = limits.largest
        do throws(SystemError) {
            try FileSystem.makeDirectories(path)
            cache = try ResponseCache(root: path, limits: limits, warn: StandardStreams.warn)
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

    /// Answers a request of any method from the cache or from its origin.
    func answer(_ request: OriginRequest) async -> Result<OriginResponse, MediaFailure> {
        let target: ValidatedURL
        do throws(MediaFailure) { target = try policy.validate(request.url) } catch { return .failure(error) }
        var request = request
        request.url = target.text
        let (key, deadline) = (policy.cacheKey(of: target), MonotonicInstant.now + Self.budget)
        let exchange = policy.exchange(over: cache)
        let result = await exchange.exchange(request, key: key) { request, _ in
            await send(request, until: deadline)
        }
        if case .success(let response) = result, response.mustBeValidated { validate(request, key: key, in: exchange) }
        return result
    }

    private func send(
        _ request: OriginRequest, until deadline: MonotonicInstant
    ) async -> Result<OriginResponse, MediaFailure> {
        await fetcher.forward(
            request, until: deadline, largest: largestBody,
            makeFile: { () throws(MediaFailure) in try self.file() })
    }

    /// Validates a stale response in the background, with at most one validation at a time for each key.
    private func validate(_ request: OriginRequest, key: String, in exchange: CachingExchange) {
        validations.withLock { tasks in
            guard tasks[key] == nil, tasks.count < Self.maxValidations else { return }
            tasks[key] = Task {
                let deadline = MonotonicInstant.now + Self.budget
                await exchange.revalidate(request, key: key) { request, _ in await send(request, until: deadline) }
                validations.withLock { $0[key] = nil }
            }
        }
    }

    private func file() throws(MediaFailure) -> MediaFile {
        do throws(SystemError) { return try AnonymousFile.create(in: root) } catch {
            throw MediaFailure(.storageFailed, "no file can be created in \(root): \(error)")
        }
    }

    /// Shuts down the fetcher and the cache. Call this function once, after the last request.
    func close() async {
        let tasks = validations.withLock { Array($0.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await fetcher.shutdown()
        await cache.shutdown()
        if isTemporary { try? FileManager.default.removeItem(atPath: root) }
    }
}
