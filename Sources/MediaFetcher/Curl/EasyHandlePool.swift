import NotificationModel

/// Easy handles that have carried a transfer to its end, kept for the next ones: to make a handle and set it up takes a
/// fifth of what libcurl needs for a download. The multi handles of a thread share one pool.
///
/// Those that come to their end together are all kept, as the next ones begin together; who looks in from time to time
/// lets go of as many as nobody has taken since the last look. An idle handle has 8 kB, and after HTTP/2 what it has
/// read with (counted with libcurl 7.88).
final class EasyHandlePool {
    /// As many as there are transfers at a time, where nothing else is configured (`FetchLimits.connections`).
    private static let most = 256
    /// At one look: the thread has others waiting.
    private static let mostAtOnce = 32
    /// From one look to the next.
    static let checkInterval = Duration.seconds(1)

    private let share: CurlShare
    private let certificates: CAStoreCache
    private let userAgent: String
    /// The oldest first.
    private var idle: [CurlEasy] = []
    /// The fewest that were idle since the last look.
    private var idleLowWater = 0
    /// Somebody will look.
    private var isEvictionScheduled = false

    /// - Returns: `nil` where libcurl has no memory.
    init?(certificates: CAStoreCache, userAgent: String) {
        guard let share = CurlShare() else { return nil }
        self.share = share
        self.certificates = certificates
        self.userAgent = userAgent
    }

    var isEmpty: Bool { idle.isEmpty }

    /// A handle that carries nothing.
    func take(_ kind: CurlEasy.Kind) throws(CurlError) -> CurlEasy {
        guard let place = idle.lastIndex(where: { $0.kind == kind }) else {
            return try CurlEasy(kind, share: share, certificates: certificates, userAgent: userAgent)
        }
        let easy = idle.remove(at: place)
        idleLowWater = min(idleLowWater, idle.count)
        return easy
    }

    /// - Parameter easy: of a plain GET that libcurl is done with, and in no multi handle any more.
    /// - Returns: whether whoever gives it is to call `evictIdle` after `checkInterval`, as nobody else is about to.
    func giveBack(_ easy: CurlEasy) -> Bool {
        guard idle.count < Self.most else { return false }
        idle.append(easy)
        defer { isEvictionScheduled = true }
        return !isEvictionScheduled
    }

    /// - Returns: whether to call it again after `checkInterval`.
    func evictIdle() -> Bool {
        idle.removeFirst(min(idleLowWater, Self.mostAtOnce))
        idleLowWater = idle.count
        isEvictionScheduled = !idle.isEmpty
        return isEvictionScheduled
    }
}
