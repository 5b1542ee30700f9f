/// Easy handles that have carried a transfer to its end, kept for the next ones: to make a handle and set it up takes a
/// fifth of what libcurl needs for a download. Used on one thread.
///
/// Those that come to their end together are all kept, as the next ones begin together; who looks in from time to time
/// lets go of as many as nobody has taken since the last look. An idle handle has 8 kB, and after HTTP/2 what it has read
/// with (counted with libcurl 7.88).
final class CurlStock {
    /// As many as there are transfers at a time, where nothing else is configured (`FetchLimits.connections`).
    private static let most = 256
    /// In one turn of the thread, which has others waiting.
    private static let mostAtOnce = 32

    private let share: CurlShare
    private let userAgent: String
    /// The oldest first.
    private var idle: [CurlEasy] = []
    /// The fewest that were idle since the last look.
    private var spare = 0

    /// - Returns: `nil` where libcurl has no memory.
    init?(userAgent: String) {
        guard let share = CurlShare.create() else { return nil }
        self.share = consume share
        self.userAgent = userAgent
    }

    var isEmpty: Bool { idle.isEmpty }

    /// A handle that carries nothing.
    func take(_ kind: CurlEasy.Kind) throws(CurlFault) -> CurlEasy {
        guard let place = idle.lastIndex(where: { $0.kind == kind }) else {
            return try CurlEasy(kind, share: share, userAgent: userAgent)
        }
        let easy = idle.remove(at: place)
        spare = min(spare, idle.count)
        return easy
    }

    /// - Parameter easy: of a plain GET that libcurl is done with, and in no multi handle any more.
    func giveBack(_ easy: CurlEasy) {
        if idle.count < Self.most { idle.append(easy) }
    }

    func letGoOfSpare() {
        idle.removeFirst(min(spare, Self.mostAtOnce))
        spare = idle.count
    }

    /// Handles must be gone before the share is.
    deinit { idle = [] }
}
