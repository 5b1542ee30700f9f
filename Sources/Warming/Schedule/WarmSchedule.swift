import DequeModule
import NotificationModel

/// Which item is started when: pure.
///
/// Hosts take turns. Each has a limit of items at a time and of starts a second, and there is a limit in all. An item
/// that is refused goes to the end of the line of the host that refused it, and its next try has the whole budget again.
/// An item that is refused again and again while its host takes others is given up alone. A host that only refuses gives
/// all of its items up in the end.
package struct WarmSchedule {
    package struct Limits: Sendable, Equatable {
        /// Items at a time, in all.
        package var concurrency = 32
        /// Items at a time for each host.
        package var perHost = 8
        /// Starts a second for each host; `nil`: as many as can be.
        package var rate: Double?

        package init() {}
    }

    /// The time for which an origin may refuse everything.
    static let refusalPatience: Duration = .seconds(600)
    /// The time for which a host may fail everything.
    static let restPatience: Duration = .seconds(60)

    /// An item that is to be started.
    struct Turn {
        let id: Int
        let item: WarmItem
    }

    private struct Running {
        let item: WarmItem
        let host: String
        let start: MonotonicInstant
    }

    private let limits: Limits
    private(set) var hosts: [String: WarmHost] = [:]
    private var line: Deque<String> = []
    private var running: [Int: Running] = [:]
    private var lastID = 0
    private var pace: WarmPace
    private var refusals = WarmRefusals()
    /// Items that wait for their turn.
    private(set) var queued = 0

    init(_ limits: Limits) {
        self.limits = limits
        pace = WarmPace(most: limits.concurrency)
    }

    var runningCount: Int { running.count }
    var isEmpty: Bool { queued == 0 && running.isEmpty }

    mutating func add(_ item: WarmItem) { enqueue(item, at: item.host) }

    /// Removes all items that wait.
    mutating func stop() -> [WarmItem] {
        defer {
            for host in hosts.keys { hosts[host]?.queue = [] }
            queued = 0
        }
        return hosts.values.flatMap(\.queue)
    }

    /// Takes the next item whose host may be asked now.
    mutating func next(at now: MonotonicInstant) -> Turn? {
        guard running.count < pace.limit, !pace.isPaused(at: now) else { return nil }
        for _ in 0..<line.count {
            guard let name = line.popFirst(), var host = hosts[name] else { break }
            guard !host.queue.isEmpty else {
                hosts[name]?.isInLine = false
                continue
            }
            line.append(name)
            guard host.mayStart(at: now), let item = host.queue.popFirst() else { continue }
            host.running += 1
            if let rate = limits.rate { host.nextStart = max(host.nextStart ?? now, now) + .seconds(1 / rate) }
            hosts[name] = host
            queued -= 1
            lastID += 1
            running[lastID] = Running(item: item, host: name, start: now)
            return Turn(id: lastID, item: item)
        }
        return nil
    }

    /// Returns the next instant at which time alone lets an item start; `nil` if only the end of another item does.
    func wake(at now: MonotonicInstant) -> MonotonicInstant? {
        guard queued > 0, running.count < pace.limit else { return nil }
        let hosts = hosts.values.filter { !$0.queue.isEmpty && $0.running < $0.pace.limit }
        guard let first = hosts.map({ $0.earliestStart ?? now }).min() else { return nil }
        return max(first, pace.pausedUntil ?? first)
    }

    private mutating func enqueue(_ item: WarmItem, at name: String) {
        var host = hosts[name] ?? WarmHost(pace: WarmPace(most: limits.perHost))
        host.queue.append(item)
        queued += 1
        if !host.isInLine {
            host.isInLine = true
            line.append(name)
        }
        hosts[name] = host
    }
}

// MARK: Ends of items

extension WarmSchedule {
    /// The consequence of the end of an item.
    enum Ending {
        case done
        /// It waits for another turn.
        case again
        /// It waits for another turn, and this host is left alone for this time; empty: this machine takes nothing.
        case slowed(host: String, pause: Duration)
        /// No further try is made of these items, which are this one or all of its host: they have ended with its failure.
        case givenUp([WarmItem])
    }

    /// - Parameter id: The number of a turn that has not ended.
    mutating func end(_ id: Int, with outcome: WarmOutcome, at now: MonotonicInstant) -> Ending {
        guard let ended = running.removeValue(forKey: id) else { return .done }
        hosts[ended.host]?.running -= 1
        guard let (medium, refusal) = outcome.refused else {
            pace.succeed()
            hosts[ended.host]?.pace.succeed()
            hosts[ended.host]?.timing.note(ended.start.duration(to: now))
            hosts[ended.host]?.lastSuccess = now
            refusals.forget(ended.item.key)
            return .done
        }
        if refusal == .overloaded {
            enqueue(ended.item, at: ended.host)
            let change = pace.refuse(startedAt: ended.start, asked: nil, patience: Self.refusalPatience, at: now)
            return ending(change, at: ended.host, named: "")
        }
        // A medium of a payload may be at another host than the first one.
        let named = MediaHost.of(medium.url)
        let host = named.isEmpty ? ended.host : named
        enqueue(ended.item, at: host)
        let (asked, patience) =
            if case .slowDown(let pause) = refusal { (pause, Self.refusalPatience) } else { (nil, Self.restPatience) }
        let change = hosts[host]?.pace.refuse(startedAt: ended.start, asked: asked, patience: patience, at: now)
        let isAlone = refusals.note(ended.item.key, startedAt: ended.start, lastSuccess: hosts[host]?.lastSuccess)
        guard isAlone, change != .givenUp else { return ending(change ?? .none, at: host, named: host) }
        // It stands at the end of the line.
        _ = hosts[host]?.queue.popLast()
        queued -= 1
        refusals.forget(ended.item.key)
        return .givenUp([ended.item])
    }

    private mutating func ending(_ change: WarmPace.Change, at host: String, named name: String) -> Ending {
        switch change {
        case .none: .again
        case .slowed(let pause): .slowed(host: name, pause: pause)
        case .givenUp: .givenUp(removeAll(at: host))
        }
    }

    private mutating func removeAll(at host: String) -> [WarmItem] {
        let items = Array(hosts[host]?.queue ?? [])
        hosts[host]?.queue = []
        queued -= items.count
        for item in items { refusals.forget(item.key) }
        return items
    }

    /// The host that is waited for longest: a paused one, or else the one whose items take the longest on average.
    func slowestHost(at now: MonotonicInstant) -> String? {
        let busy = hosts.filter { $0.value.running > 0 || !$0.value.queue.isEmpty }
        let paused = busy.compactMap { name, host in
            host.pace.isPaused(at: now) ? (name, host.pace.pausedUntil ?? now) : nil
        }
        if let last = paused.max(by: { $0.1 < $1.1 }) { return last.0 }
        return busy.filter { $0.value.timing.mean > .zero }.max { $0.value.timing.mean < $1.value.timing.mean }?.key
    }
}
