/// Which of the network's threads a transfer goes to: pure.
///
/// As long as few move, all stay on the first thread, the fetcher's own, where nothing of them has to change threads.
/// Where more do, each host has a thread of its own, for its connections' sake, up to so many at a time: the rest goes
/// where the least is done. Until a host that was connected to has answered, only the thread with that connection knows
/// what it carries.
struct LaneChoice {
    /// Transfers that move, the one among them that wants a place.
    struct Moving {
        var toHost: Int
        var inAll: Int
    }

    /// Transfers at a time, with which a thread has enough to do.
    static let fullLane = 32
    /// The first thread does all the rest, too: each transfer there counts for two elsewhere.
    static let weightOfFirst = 2
    /// Transfers at a time over one connection: RFC 9113 §6.5.2 recommends servers to allow no fewer.
    static let streamsOfConnection = 100

    /// Of one host, so that no thread has more than one connection carries, where it is alone there.
    static func mostStreams(on lanes: Int) -> Int {
        lanes == 1 ? streamsOfConnection : streamsOfConnection * (lanes - 1) + streamsOfConnection / weightOfFirst
    }

    /// On each thread, those included that stand still.
    private var running = [0]

    /// Whether all threads have enough to do.
    func wantsAnother(_ moving: Moving) -> Bool { moving.inAll > Self.fullLane * running.count }

    mutating func open() { running.append(0) }

    /// - Parameters:
    ///   - host: a number that is the host's.
    ///   - connected: the thread with the only connection to a host that has not answered yet.
    /// - Returns: the place of the thread, for `leave`.
    mutating func enter(_ host: UInt, _ moving: Moving, connected: Int? = nil) -> Int {
        let place = connected ?? place(of: host, moving)
        running[place] += 1
        return place
    }

    private func place(of host: UInt, _ moving: Moving) -> Int {
        if moving.inAll <= Self.fullLane { return 0 }
        return moving.toHost <= Self.fullLane ? home(of: host) : emptiest
    }

    mutating func leave(_ place: Int) { running[place] -= 1 }

    private func home(of host: UInt) -> Int {
        let share = Int(host % UInt(1 + Self.weightOfFirst * (running.count - 1)))
        return share == 0 ? 0 : 1 + (share - 1) / Self.weightOfFirst
    }

    private var emptiest: Int {
        var emptiest = 0
        var least = running[0] * Self.weightOfFirst
        for place in running.indices.dropFirst() where running[place] < least {
            (emptiest, least) = (place, running[place])
        }
        return emptiest
    }
}
