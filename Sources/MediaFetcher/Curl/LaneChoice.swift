/// Which of the network's threads a transfer goes to: pure.
///
/// As long as few run, all stay on the first thread, the fetcher's own, where nothing of them has to change threads.
/// Where more run, each host has a thread of its own, for its connections' sake, up to so many at a time: the rest goes
/// where the least is done.
struct LaneChoice {
    /// Transfers at a time, with which a thread has enough to do.
    static let fullLane = 32
    /// The first thread does all the rest, too: each transfer there counts for two elsewhere.
    static let weightOfFirst = 2

    /// On each thread, those included that stand still.
    private var running = [0]
    private var total = 0

    /// All threads have enough to do.
    var wantsAnother: Bool { total >= Self.fullLane * running.count }

    mutating func open() { running.append(0) }

    /// - Parameters:
    ///   - host: a number that is the host's.
    ///   - ofHost: transfers to it that are under way, this one included.
    /// - Returns: the place of the thread, for `leave`.
    mutating func enter(_ host: UInt, ofHost: Int) -> Int {
        let place = total < Self.fullLane ? 0 : ofHost <= Self.fullLane ? home(of: host) : emptiest
        running[place] += 1
        total += 1
        return place
    }

    mutating func leave(_ place: Int) {
        running[place] -= 1
        total -= 1
    }

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
