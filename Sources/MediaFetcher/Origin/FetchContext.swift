import NotificationModel
import Primitives

/// The context of a fetch: the current rules, and the callbacks of the waiting requests.
final class FetchContext: Sendable {
    enum FetchMode: Sendable, Equatable {
        /// The request is repeated if a repetition may succeed, and the circuit breaker applies.
        case media
        /// The request is sent once, and any response is a success. The body has at most this number of bytes.
        case passthrough(largest: Int)
    }

    let rules: FetchRules
    let mode: FetchMode
    let trace: TraceFanout
    let progress: ProgressFanout?
    /// Returns the remaining time of the waiting request with the longest budget.
    let remaining: @Sendable () -> Duration
    /// A callback before each download, which is not called for stored responses. If it throws, nothing is downloaded.
    let willDownload: @Sendable () throws(MediaFailure) -> Void
    let makeFile: @Sendable () throws(MediaFailure) -> MediaFile
    /// A callback for each file to which the bytes of a response are written, with the version of the origin's file.
    let bodyBegins: @Sendable (MediaFile, ArrivingMedia.Version?) -> Void
    private let order: Guarded<Order>

    private struct Order {
        var rank: Int
        /// The permit of the transfer that waits in the queue or runs; `nil` before the first transfer.
        var permit: FairHostQueue.Permit?
        /// The proxy of the current attempt, for messages; `nil` if there is no attempt or it uses no proxy.
        var proxy: String?
    }

    /// Creates the context of one fetch.
    ///
    /// - Parameter rank: the order in which its transfers get permits (`MediaRank`).
    init(
        rules: FetchRules, mode: FetchMode = .media, rank: Int = MediaRank.standard, trace: TraceFanout = TraceFanout(),
        progress: ProgressFanout? = nil, remaining: @escaping @Sendable () -> Duration,
        willDownload: @escaping @Sendable () throws(MediaFailure) -> Void = {},
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile,
        bodyBegins: @escaping @Sendable (MediaFile, ArrivingMedia.Version?) -> Void = { _, _ in }
    ) {
        self.rules = rules
        self.mode = mode
        order = Guarded(Order(rank: rank))
        self.trace = trace
        self.progress = progress
        self.remaining = remaining
        self.willDownload = willDownload
        self.makeFile = makeFile
        self.bodyBegins = bodyBegins
    }

    /// The highest rank of all requests that have joined the fetch.
    var rank: Int { order.withLock { $0.rank } }

    /// Adds a waiting request.
    ///
    /// - Returns: the permit that must be raised, if the rank of the request is higher than all earlier ranks;
    ///   otherwise `nil`.
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
