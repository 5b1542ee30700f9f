/// Easy handles that have carried a transfer to its end, kept for the next ones: to make a handle and set it up takes a
/// fifth of what libcurl needs for a download. Used on one thread.
final class CurlStock {
    /// Handles that wait, at most. One that is given back is mostly taken at once.
    private static let most = 16

    private let share: CurlShare
    private let userAgent: String
    private let room: CurlStockRoom
    private var idle: [CurlEasy] = []
    /// Names of fields that answers have had.
    var names = FieldNames()

    /// - Returns: `nil` where libcurl has no memory.
    init?(userAgent: String, in room: CurlStockRoom) {
        guard let share = CurlShare.create() else { return nil }
        self.share = consume share
        self.userAgent = userAgent
        self.room = room
    }

    /// A handle that carries nothing.
    func take(_ kind: CurlEasy.Kind) throws(CurlFault) -> CurlEasy {
        guard let place = idle.lastIndex(where: { $0.kind == kind }) else {
            return try CurlEasy(kind, share: share, userAgent: userAgent)
        }
        idle.swapAt(place, idle.endIndex - 1)
        room.leave(kind.idleBytes)
        return idle.removeLast()
    }

    /// - Parameter easy: of a plain GET that libcurl is done with, and in no multi handle any more.
    func giveBack(_ easy: CurlEasy) {
        if idle.count < Self.most, room.enter(easy.kind.idleBytes) { idle.append(easy) }
    }

    /// Handles must be gone before the share is.
    deinit { idle = [] }
}

/// How much memory the idle handles of all engines of one thread may keep.
final class CurlStockRoom {
    private static let mostBytes = 1_000_000

    private var bytes = 0

    func enter(_ count: Int) -> Bool {
        guard bytes + count <= Self.mostBytes else { return false }
        bytes += count
        return true
    }

    func leave(_ count: Int) { bytes -= count }
}

extension CurlEasy.Kind {
    /// What an idle handle keeps: its own 8 kB, and after HTTP/2 what it has read with (counted with libcurl 7.88).
    fileprivate var idleBytes: Int { 8_192 + (bufferSize > 32_768 ? bufferSize : 0) }
}
