import Base
import DequeModule

/// The order and the times in which items are started. The type has no side effects.
///
/// Hosts take turns (round robin). Each host has a limit of concurrent items and of starts per second, and there is a
/// limit for all hosts together. A refused item goes to the end of the queue of the host that refused it, and its next
/// try has the whole budget again. If an item is refused repeatedly while its host accepts other items, the run stops
/// trying only this item. If a host refuses all items for too long, the run stops trying its items.
package struct WarmSchedule {
    package struct Limits: Sendable, Equatable {
        /// The maximum number of items at a time, for all hosts together.
        package var concurrency = 32
        /// The maximum number of items at a time for each host.
        package var perHost = 8
        /// The maximum number of starts per second for each host; `nil` if there is no limit.
        package var rate: Double?

        package init() {}
    }

    /// The maximum time for which an origin may refuse all items before the run stops trying them.
    static let refusalPatience: Duration = .seconds(600)
    /// The maximum time for which the circuit breaker of a host may refuse all items before the run stops trying them.
    static let restPatience: Duration = .seconds(60)

    /// The maximum number of hosts without items that are remembered.
    static let maxRemembered = 4_096

    /// An item that must be started.
    struct Turn {
        let id: Int
        let item: WarmItem
    }

    struct Running {
        let item: WarmItem
        let host: String
        let start: MonotonicInstant
    }

    private let limits: Limits
    var hosts: [String: WarmHost] = [:]
    private var line: Deque<String> = []
    /// The hosts that had no items when they were added here, the oldest first. Each of them is also in `hosts`.
    private var remembered: Deque<String> = []
    var running: [Int: Running] = [:]
    private var lastID = 0
    var pace: WarmPace
    var refusals = WarmRefusals()
    /// The number of items that wait.
    var queued = 0

    init(_ limits: Limits) {
        self.limits = limits
        pace = WarmPace(most: limits.concurrency)
    }

    var runningCount: Int { running.count }
    var isEmpty: Bool { queued == 0 && running.isEmpty }

    mutating func add(_ item: WarmItem) { enqueue(item, at: item.host) }

    /// Removes and returns all waiting items.
    mutating func stop() -> [WarmItem] {
        defer {
            for host in hosts.keys { hosts[host]?.queue = [] }
            queued = 0
        }
        return hosts.values.flatMap(\.queue)
    }

    /// Removes the next item whose host may get an item now, and returns it; `nil` if no item may start.
    mutating func next(at now: MonotonicInstant) -> Turn? {
        guard running.count < pace.limit, !pace.isPaused(at: now) else { return nil }
        for _ in 0..<line.count {
            guard let name = line.popFirst() else { break }
            guard hosts[name]?.queue.isEmpty == false else {
                hosts[name]?.isInLine = false
                forgetIfIdle(name, at: now)
                continue
            }
            line.append(name)
            guard hosts[name]?.mayStart(at: now) == true, let item = hosts[name]?.queue.popFirst() else { continue }
            hosts[name]?.running += 1
            if let rate = limits.rate {
                let earliest = max(hosts[name]?.nextStart ?? now, now)
                hosts[name]?.nextStart = earliest + .seconds(1 / rate)
            }
            queued -= 1
            lastID += 1
            running[lastID] = Running(item: item, host: name, start: now)
            return Turn(id: lastID, item: item)
        }
        return nil
    }

    /// Returns the next instant at which an item may start without the end of another item; `nil` if there is no such
    /// instant.
    func wake(at now: MonotonicInstant) -> MonotonicInstant? {
        guard queued > 0, running.count < pace.limit else { return nil }
        var first: MonotonicInstant?
        for host in hosts.values where !host.queue.isEmpty && host.running < host.pace.limit {
            let start = host.earliestStart ?? now
            first = min(first ?? start, start)
        }
        return first.map { max($0, pace.pausedUntil ?? $0) }
    }

    /// Returns the host that delays the batch the most: a paused host, or else the host with the largest mean time of
    /// an item.
    func slowestHost(at now: MonotonicInstant) -> String? {
        var paused: (name: String, end: MonotonicInstant)?
        var slow: (name: String, time: Duration)?
        for (name, host) in hosts where host.running > 0 || !host.queue.isEmpty {
            if let end = host.pace.pausedUntil, now < end, end > paused?.end ?? now { paused = (name, end) }
            let time = host.timing.mean
            if time > slow?.time ?? .zero { slow = (name, time) }
        }
        return paused?.name ?? slow?.name
    }

    mutating func enqueue(_ item: WarmItem, at name: String) {
        hosts[name, default: WarmHost(pace: WarmPace(most: limits.perHost))].queue.append(item)
        queued += 1
        guard hosts[name]?.isInLine == false else { return }
        hosts[name]?.isInLine = true
        line.append(name)
    }

    /// Removes a host without items, because a batch may have hundreds of thousands of hosts. Hosts that were slowed
    /// down, or whose rate does not permit a start yet, are remembered until there are too many of them.
    mutating func forgetIfIdle(_ name: String, at now: MonotonicInstant) {
        guard let host = hosts[name], host.isIdle else { return }
        guard !host.isFresh(at: now) else {
            hosts[name] = nil
            return
        }
        guard !host.isRemembered else { return }
        hosts[name]?.isRemembered = true
        remembered.append(name)
        guard remembered.count > Self.maxRemembered, let oldest = remembered.popFirst() else { return }
        hosts[oldest]?.isRemembered = false
        if hosts[oldest]?.isIdle == true { hosts[oldest] = nil }
    }
}
