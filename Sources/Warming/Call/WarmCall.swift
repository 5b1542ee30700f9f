package import JSON
import NotificationModel

/// Warms the items of the body of one call (`POST /v1/warm`).
///
/// A body may have megabytes of lines, and its caller may read no answer. So a line is read only when there is room for
/// its item and its answer. Lines are read in slices, and other work has the processor between two slices.
package struct WarmCall: Sendable {
    /// Items of a call that have been begun and are not answered yet.
    static let mostItems = 256
    /// Items of a call that are worked on at a time. The others wait for their turns.
    static let mostAtWork = 32
    /// Time in which an item waits for its turn. It keeps its room, which other calls may need.
    static let longestWait: Duration = .seconds(600)

    private let warmer: any MediaWarming
    private let reader: WarmEntryReader
    private let limiter: WarmCallLimiter
    private let perHost: Int

    /// - Parameters:
    ///   - reader: the reader of lines of a call.
    ///   - perHost: items of the call that are worked on at a time for each host.
    package init(warmer: any MediaWarming, reader: WarmEntryReader, limiter: WarmCallLimiter, perHost: Int) {
        self.warmer = warmer
        self.reader = reader
        self.limiter = limiter
        self.perHost = perHost
    }

    /// Returns when each item has ended and each answer is written, or when the task is cancelled.
    ///
    /// - Parameter write: takes answers, and returns when there is room for more.
    package func run(_ body: [UInt8], write: ([JSONValue]) async -> Void) async {
        let turns = HostTurns(perHost: perHost)
        let work = AsyncSemaphore(permits: Self.mostAtWork)
        let ended = EndedItems()
        var reading = WarmCallReading(body, reader: reader, limiter: limiter)
        var running = 0
        await withDiscardingTaskGroup { group in
            var wakes = ended.wakes.makeAsyncIterator()
            while !Task.isCancelled {
                let slice = reading.next(mostItems: Self.mostItems - running)
                for entry in slice.entries {
                    group.addTask { ended.add(await answer(to: entry, turns, work)) }
                }
                let answers = ended.take()
                running += slice.entries.count - answers.count
                if !slice.refusals.isEmpty || !answers.isEmpty { await write(slice.refusals + answers) }
                switch slice.stop {
                case .pause: await limiter.pause()
                case .end where running == 0: return
                case .noRoom where running == 0: await reading.waitForRoom()
                case .end, .noRoom, .mostItems: if answers.isEmpty { await wakes.next() }
                }
            }
        }
    }

    private func answer(to entry: WarmCallReading.Entry, _ turns: HostTurns, _ work: AsyncSemaphore) async -> JSONValue
    {
        // Answers that wait for their caller take no room from the items of other calls.
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
                await clock.sleep(until: clock.now.advanced(by: Self.longestWait))
                return nil
            }
            var outcome: WarmOutcome?
            while outcome == nil, let next = await group.next() {
                outcome = next
                // Only the wait for a turn is ended. Work that has begun has the budget of its item.
                if outcome == nil, !Task.isCancelled, wait.end() { group.cancelAll() }
            }
            group.cancelAll()
            return outcome ?? Self.unserved(entry.item)
        }
        return WarmWire.json(of: outcome, line: entry.line)
    }

    private static func unserved(_ item: WarmItem) -> WarmOutcome {
        let url = if case .url(let url) = item.request { url } else { "" }
        return WarmOutcome([
            .init(
                url: url, profile: "",
                failure: MediaFailure(.overloaded, "the item has waited \(longestWait) for its turn"))
        ])
    }
}

/// The wait of an item for its turn. It ends once: with the turn, or because it took too long.
private final class TurnWait: Sendable {
    private let hasEnded = Guarded(false)

    /// - Returns: `false` if the wait has ended before.
    func end() -> Bool {
        hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
    }
}

/// The answers of the items that have ended, until the call takes them.
private final class EndedItems: Sendable {
    /// One element stands for all answers that can be taken.
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
