import NotificationModel

/// The requests for which an origin is asked: the rules in force, and the callbacks of the waiting requests.
final class FetchContext: Sendable {
    enum FetchMode: Sendable, Equatable {
        /// Asked as often as it is worth it, and hosts that keep failing are left alone.
        case media
        /// Asked once, whatever is answered, with a body of at most this many bytes.
        case passthrough(largest: Int)
    }

    let rules: FetchRules
    let mode: FetchMode
    let trace: TraceFanout
    let progress: ProgressFanout?
    /// The rest of the longest budget among the waiting requests.
    let remaining: @Sendable () -> Duration
    /// Called before something is asked for that is not stored. Nothing is when it throws.
    let willDownload: @Sendable () throws(MediaFailure) -> Void
    let makeFile: @Sendable () throws(MediaFailure) -> MediaFile
    /// Told of each file that the bytes of a response go into, and of the version of the origin's file.
    let bodyBegins: @Sendable (MediaFile, ArrivingMedia.Version?) -> Void
    private let order: Guarded<Order>

    private struct Order {
        var rank: Int
        /// The permit of the transfer that waits for its turn, or has it.
        var permit: FairHostQueue.Permit?
        /// The proxy of the current attempt, in words; `nil`: there is no attempt, or it uses no proxy.
        var proxy: String?
    }

    /// - Parameter rank: the order in which it has connections (`MediaRank`).
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

    /// The highest of those who wait for it, or have.
    var rank: Int { order.withLock { $0.rank } }

    /// Somebody of a rank waits for it, too.
    ///
    /// - Returns: the permit that is to be raised, if the rank is higher than that of all before.
    func join(rank: Int) -> FairHostQueue.Permit? {
        order.withLock { order in
            guard rank > order.rank else { return nil }
            order.rank = rank
            return order.permit
        }
    }

    func enter(_ permit: FairHostQueue.Permit) { order.withLock { $0.permit = permit } }

    /// The proxy of the current attempt, for messages.
    var proxy: String? {
        get { order.withLock { $0.proxy } }
        set { order.withLock { $0.proxy = newValue } }
    }
}

/// A policy that is in force, or was: shared, as it is large.
final class FetchRules: Sendable {
    let policy: FetchPolicy
    /// How often the policy was changed or media were purged before. Fetches under different ones are not the same.
    let version: Int

    init(_ policy: FetchPolicy, version: Int) {
        self.policy = policy
        self.version = version
    }
}
