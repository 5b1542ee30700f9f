import Base
import Glibc
import HTTPCaching
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// A fixture with a real origin, and a real fetcher that may connect to it.
struct OriginFixture: Sendable {
    let origin: MisbehavingOrigin
    let fetcher: HTTPMediaFetcher

    static func with<Result>(
        limits: FetchLimits = FetchLimits(), allowing ranges: [String] = ["127.0.0.0/8"],
        policy: FetchPolicy = FetchPolicy(), resolver: (any NameResolving)? = nil,
        store: (any ResponseStoring)? = nil, now: @escaping @Sendable () -> MonotonicInstant = { .now },
        observer: @escaping @Sendable (FetchEvent) -> Void = { _ in }, _ body: (OriginFixture) async throws -> Result
    ) async throws -> Result {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            var policy = policy
            policy.limits = limits
            policy.limits.retryPause = .milliseconds(5)
            policy.addresses = AddressPolicy(
                allowed: ranges.compactMap(AddressRange.init), ports: policy.addresses.ports)
            // libcurl converts names with non-ASCII letters in the encoding of the locale.
            setlocale(LC_CTYPE, "C.UTF-8")
            let fetcher = try HTTPMediaFetcher(
                policy: policy, resolver: resolver, store: store, userAgent: "appgroupd-tests", now: now,
                observer: observer)
            do {
                let result = try await body(OriginFixture(origin: origin, fetcher: fetcher))
                await fetcher.shutdown()
                return result
            } catch {
                await fetcher.shutdown()
                throw error
            }
        }
    }

    /// Fetches a path of the origin.
    func fetch(
        _ path: String, within budget: Duration = .seconds(20), trace: StageTrace = StageTrace(),
        for group: AppGroupName? = nil
    ) async throws -> Result<FetchedMedia, MediaFailure> {
        try await fetch(url: origin.baseURL + path, within: budget, trace: trace, for: group)
    }

    func fetch(
        url: String, within budget: Duration = .seconds(20), trace: StageTrace = StageTrace(),
        for group: AppGroupName? = nil
    ) async throws -> Result<FetchedMedia, MediaFailure> {
        var request = FetchRequest(url: url, deadline: .now.advanced(by: budget), trace: trace) {
            () throws(MediaFailure) in
            do { return try AnonymousFile.create(in: "/tmp") } catch {
                throw MediaFailure(.storageFailed, "no file: \(error)")
            }
        }
        request.group = group
        return await fetcher.fetch(request)
    }

    /// Fetches a path of the origin, and expects a reason, or a success if it is `nil`.
    func expect(
        _ reason: DegradationReason?, _ path: String, within budget: Duration = .seconds(20),
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(reason, url: origin.baseURL + path, within: budget, at: location)
    }

    func expect(
        _ reason: DegradationReason?, url: String, within budget: Duration = .seconds(20),
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await fetch(url: url, within: budget)
        #expect(result.reason == reason, "\(result)", sourceLocation: location)
    }
}

extension Result where Failure == MediaFailure {
    var reason: DegradationReason? {
        if case .failure(let failure) = self { failure.reason } else { nil }
    }

    var detail: String? {
        if case .failure(let failure) = self { failure.detail } else { nil }
    }
}

extension FetchPolicy {
    init(hosts: HostAllowlist = HostAllowlist(), headers: OriginHeaders = OriginHeaders()) {
        self.init()
        self.hosts = hosts
        self.headers = headers
    }
}
