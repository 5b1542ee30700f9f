package import Base
import NotificationModel

/// The warming of the items in the body of one call (`POST /v1/warm`).
///
/// A body may have megabytes of lines, and its caller may read no result. A line is therefore read only when there is
/// room for its item and its result. Lines are read in slices, so that other work can run between two slices.
package struct WarmCall: Sendable {
    /// The maximum number of items of a call that have been started and whose result is not written yet.
    static let maxItems = 256
    /// The maximum number of items of a call that are in progress at a time. The other items wait for a permit.
    static let maxAtWork = 32
    /// The longest time for which an item waits for a permit. It holds a lease that other calls may need.
    static let maxWait: Duration = .seconds(600)

    let warmer: any MediaWarming
    /// The reader for lines of a call.
    let reader: WarmEntryReader
    let limiter: WarmCallLimiter
    /// The maximum number of items of the call that are in progress at a time for each host.
    let perHost: Int

    /// Waits until all items have ended and all results are written, or until the task is cancelled.
    ///
    /// - Parameter write: A function that takes results, and returns when there is room for more results.
    package func run(_ body: [UInt8], write: ([JSONValue]) async -> Void) async {
        let turns = HostShares(perHost: perHost)
        let work = AsyncSemaphore(permits: Self.maxAtWork)
        let ended = EndedItems()
        var reading = WarmCallReading(body, reader: reader, limiter: limiter)
        var running = 0
        await withDiscardingTaskGroup { group in
            var wakes = ended.wakes.makeAsyncIterator()
            while !Task.isCancelled {
                let slice = reading.next(maxItems: Self.maxItems - running)
                for entry in slice.entries { group.addTask { ended.add(await answer(to: entry, turns, work)) } }
                let answers = ended.take()
                running += slice.entries.count - answers.count
                if !slice.refusals.isEmpty || !answers.isEmpty { await write(slice.refusals + answers) }
                switch slice.stop {
                case .pause: await limiter.pause()
                case .end where running == 0: return
                case .noSpace where running == 0: await reading.waitForSpace()
                case .end, .noSpace, .maxItems: if answers.isEmpty { await wakes.next() }
                }
            }
        }
    }

    private func answer(to entry: WarmCallReading.Entry, _ turns: HostShares, _ work: AsyncSemaphore) async -> JSONValue
    {
        // The lease is released before the result is written, so that a slow caller does not block other calls.
        defer { entry.lease.release() }
        let wait = TurnWait()
        let outcome = await withTaskGroup(of: WarmOutcome?.self) { group in
            group.addTask {
                await turns.inTurn(at: entry.item.host) {
                    let isAtWork = await work.acquire(elseWait: {})
                    defer { if isAtWork { work.release() } }
                    return wait.end() ? await warmer.warm(entry.item, budget: entry.budget) : Self.unserved(entry.item)
                }
            }
            group.addTask { [clock = limiter.clock] in
                await clock.sleep(until: clock.now.advanced(by: Self.maxWait))
                return nil
            }
            var outcome: WarmOutcome?
            while outcome == nil, let next = await group.next() {
                outcome = next
                // Only the wait for a permit is ended here. An item that has started has its own budget.
                if outcome == nil, !Task.isCancelled, wait.end() { group.cancelAll() }
            }
            group.cancelAll()
            return outcome ?? Self.unserved(entry.item)
        }
        return WarmWire.json(of: outcome, line: entry.line)
    }

    private static func unserved(_ item: WarmItem) -> WarmOutcome {
        let url = if case .url(let url) = item.request { url } else { "" }
        let failure = MediaFailure(.overloaded, "the item has waited \(maxWait) for its turn")
        return WarmOutcome([.init(url: url, profile: "", failure: failure)])
    }
}

/// The wait of an item for its permit. The wait ends only once: when the item gets the permit, or after `maxWait`.
private final class TurnWait: Sendable {
    private let hasEnded = Guarded(false)

    /// Ends the wait, and returns `false` if it had ended before.
    func end() -> Bool {
        hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
    }
}

/// The results of the items that have ended, until the call takes them.
private final class EndedItems: Sendable {
    /// The stream that wakes the call. One element announces all results that can be taken.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let answers = Guarded<[JSONValue]>([])

    init() { (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    func add(_ answer: JSONValue) {
        answers.withLock { $0.append(answer) }
        wake.yield()
    }

    func take() -> [JSONValue] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}

/// The limits that all calls of `POST /v1/warm` share.
package final class WarmCallLimiter: Sendable {
    /// The maximum number of items of all calls that are in progress or waiting.
    static let maxItems = 1_024
    /// The limit of the estimated memory of these items, in bytes. The estimate for an item is at least 8 KiB.
    static let maxBytes = 8 << 20
    private static let pauseLength: Duration = .milliseconds(2)

    private let memory = ByteLimiter(limit: maxBytes)
    /// The semaphore that lets one call pause at a time, so that the pauses of all calls follow one another.
    private let pauses = AsyncSemaphore(permits: 1)
    let clock: any RequestClock

    package init(clock: any RequestClock) { self.clock = clock }

    /// Returns a lease for the estimated bytes of an item if they are free and no other item waits; otherwise `nil`.
    func lease(_ footprint: Int) -> ByteLease? { memory.lease(Self.bytes(footprint)) }

    /// Waits for a lease for an item. Returns `nil` if the task was cancelled.
    func leaseWhenFree(_ footprint: Int) async -> ByteLease? { await memory.leaseWhenFree(Self.bytes(footprint)) }

    private static func bytes(_ footprint: Int) -> Int { max(maxBytes / maxItems, footprint) }

    /// Waits while other work runs. All calls together read one slice per pause, so that many calls do not slow down
    /// other work more than one call.
    func pause() async {
        guard await pauses.acquire(elseWait: {}) else { return }
        defer { pauses.release() }
        await clock.sleep(until: clock.now.advanced(by: Self.pauseLength))
    }
}
