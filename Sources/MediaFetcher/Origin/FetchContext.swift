import Base
import LinuxIO
import NotificationModel

/// The context of a fetch: its URL, the current rules, and the functions and listeners of the waiting requests.
final class FetchContext: Sendable {
    /// The URL as the request has it.
    let url: String
    /// The app group whose credentials the origin receives; `nil` for the credentials of all groups.
    let group: AppGroupName?
    /// The part of a response body that the fetch accepts.
    let bodyMode: TransferRequest.BodyMode
    let rules: FetchRules
    /// Whether the HTTP cache may store the body, and therefore needs its checksum.
    let isCached: Bool
    let listeners = FetchListeners()
    /// Returns the remaining time of the waiting request with the longest budget.
    let remaining: @Sendable () -> Duration
    /// A function that is called before each download, but not for stored responses, and can prevent it by an error.
    let willDownload: @Sendable () throws(MediaFailure) -> Void
    let makeFile: @Sendable () throws(MediaFailure) -> MediaFile
    private let order: Guarded<Order>

    private struct Order {
        var rank: Int
        /// The permit of the transfer that waits in the queue or runs; `nil` before the first transfer.
        var permit: FairHostQueue.Permit?
        /// The proxy of the current attempt, for messages; `nil` if there is no attempt or it uses no proxy.
        var proxy: String?
    }

    /// Creates the context of one fetch, whose listeners join later. Without the function `remaining`, the deadline of
    /// the request determines the remaining time.
    init(
        _ request: FetchRequest, _ rules: FetchRules, bodyMode: TransferRequest.BodyMode = .media,
        isCached: Bool = false,
        remaining: (@Sendable () -> Duration)? = nil
    ) {
        let deadline = request.deadline
        url = request.url
        group = rules.policy.headers.scope(of: request.group)
        self.bodyMode = bodyMode
        self.rules = rules
        self.isCached = isCached
        self.remaining = remaining ?? { MonotonicInstant.now.duration(to: deadline) }
        willDownload = request.willDownload
        makeFile = request.makeFile
        order = Guarded(Order(rank: request.rank))
    }

    /// The highest rank of all requests that have joined the fetch.
    var rank: Int { order.withLock { $0.rank } }

    /// Adds a waiting request, and returns the permit that must be raised, if the rank of the request is higher than
    /// all earlier ranks; otherwise `nil`.
    func join(rank: Int) -> FairHostQueue.Permit? {
        order.withLock { order in
            guard rank > order.rank else { return nil }
            order.rank = rank
            return order.permit
        }
    }

    func enter(_ permit: FairHostQueue.Permit) { order.withLock { $0.permit = permit } }

    /// The proxy of the current attempt, for messages; `nil` if there is no attempt or it uses no proxy.
    var proxy: String? {
        get { order.withLock { $0.proxy } }
        set { order.withLock { $0.proxy = newValue } }
    }
}

/// The rules of a fetch: a policy that is or was in effect. The type is a class, because a policy is large and shared.
final class FetchRules: Sendable {
    let policy: FetchPolicy
    /// The number of earlier policy changes and purges. Fetches with different versions are not coalesced.
    let version: Int

    init(_ policy: FetchPolicy, version: Int) {
        self.policy = policy
        self.version = version
    }
}
