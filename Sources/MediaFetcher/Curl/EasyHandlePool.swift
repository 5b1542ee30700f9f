import NotificationModel

/// A pool of easy handles that have finished a transfer. Creating and setting up a handle takes a fifth of the time
/// that libcurl needs for a download. The multi handles of a thread share one pool.
///
/// The pool keeps the handles of a burst of transfers for the next burst. `evictIdle` regularly frees the handles that
/// have been idle since its last call. An idle handle takes 8 kB, and after HTTP/2 also its receive buffer (measured
/// with libcurl 7.88).
final class EasyHandlePool {
    /// The maximum number of idle handles, which is the default limit of transfers (`FetchLimits.connections`).
    private static let most = 256
    /// The maximum number of handles that one call of `evictIdle` frees, because the thread has other work to do.
    private static let maxAtOnce = 32
    /// The interval between two calls of `evictIdle`.
    static let checkInterval = Duration.seconds(1)

    private let share: CurlShare
    private let certificates: CAStoreCache
    private let userAgent: String
    /// The idle handles, the oldest first.
    private var idle: [CurlEasy] = []
    /// The smallest number of idle handles since the last call of `evictIdle`.
    private var idleLowWater = 0
    /// Whether a call of `evictIdle` is scheduled.
    private var isEvictionScheduled = false

    /// Creates an empty pool; returns `nil` if libcurl has no memory.
    init?(certificates: CAStoreCache, userAgent: String) {
        guard let share = CurlShare() else { return nil }
        self.share = share
        self.certificates = certificates
        self.userAgent = userAgent
    }

    var isEmpty: Bool { idle.isEmpty }

    /// Returns a handle without a transfer.
    func take(_ kind: CurlEasy.Kind) throws(CurlError) -> CurlEasy {
        guard let place = idle.lastIndex(where: { $0.kind == kind }) else {
            return try CurlEasy(kind, share: share, certificates: certificates, userAgent: userAgent)
        }
        let easy = idle.remove(at: place)
        idleLowWater = min(idleLowWater, idle.count)
        return easy
    }

    /// Returns a handle that has finished a plain GET, and has been removed from its multi handle, to the pool. If the
    /// result is true, the caller must call `evictIdle` after `checkInterval`.
    func giveBack(_ easy: CurlEasy) -> Bool {
        guard idle.count < Self.most else { return false }
        idle.append(easy)
        defer { isEvictionScheduled = true }
        return !isEvictionScheduled
    }

    /// Frees the handles that have been idle since the last call, at most `maxAtOnce`, and returns whether the caller
    /// must call `evictIdle` again after `checkInterval`.
    func evictIdle() -> Bool {
        idle.removeFirst(min(idleLowWater, Self.maxAtOnce))
        idleLowWater = idle.count
        isEvictionScheduled = !idle.isEmpty
        return isEvictionScheduled
    }
}
