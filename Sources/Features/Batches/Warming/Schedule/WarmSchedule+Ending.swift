import Base
import DequeModule

/// The ends of items and their consequences.
extension WarmSchedule {
    /// The consequence of the end of an item.
    enum Ending {
        case done
        /// The item waits for another try.
        case again
        /// The item waits for another try, and this host gets no items during the pause. If the name of the host is
        /// empty, no item is started.
        case slowed(host: String, pause: Duration)
        /// The associated items are this item, or all items of its host. They are not tried again, and they end with
        /// this item's failure.
        case givenUp([WarmItem])
    }

    /// Records the end of the item of a turn.
    mutating func end(_ id: Int, with outcome: WarmOutcome, at now: MonotonicInstant) -> Ending {
        guard let ended = running.removeValue(forKey: id) else { return .done }
        hosts[ended.host]?.running -= 1
        defer { forgetIfIdle(ended.host, at: now) }
        guard let (item, refusal) = outcome.refused else {
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
        // A media item of a payload may be at another host than the first media item.
        let named = MediaHost.of(item.url)
        let host = named.isEmpty ? ended.host : named
        enqueue(ended.item, at: host)
        let (asked, patience) =
            if case .slowDown(let pause) = refusal { (pause, Self.refusalPatience) } else { (nil, Self.restPatience) }
        let change = hosts[host]?.pace.refuse(startedAt: ended.start, asked: asked, patience: patience, at: now)
        let isAlone = refusals.note(ended.item.key, startedAt: ended.start, lastSuccess: hosts[host]?.lastSuccess)
        guard isAlone, change != .givenUp else { return ending(change ?? .none, at: host, named: host) }
        // The item is at the end of the host's queue.
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
}
