package import Primitives

/// The limits that all calls of `POST /v1/warm` share.
package final class WarmCallLimiter: Sendable {
    /// The maximum number of items of all calls that are in progress or waiting.
    static let mostItems = 1_024
    /// The limit of the estimated memory of these items, in bytes. The estimate for an item is at least 8 KiB.
    static let mostBytes = 8 << 20
    private static let pauseLength: Duration = .milliseconds(2)

    private let memory = ByteLimiter(limit: mostBytes)
    /// The semaphore that lets one call pause at a time, so that the pauses of all calls follow one another.
    private let pauses = AsyncSemaphore(permits: 1)
    let clock: any RequestClock

    package init(clock: any RequestClock) { self.clock = clock }

    /// Returns a lease for the estimated bytes of an item if they are free and no other item waits; otherwise `nil`.
    func lease(_ footprint: Int) -> ByteLease? { memory.lease(Self.bytes(footprint)) }

    /// Waits for a lease for an item. Returns `nil` if the task was cancelled.
    func leaseWhenFree(_ footprint: Int) async -> ByteLease? { await memory.leaseWhenFree(Self.bytes(footprint)) }

    private static func bytes(_ footprint: Int) -> Int { max(mostBytes / mostItems, footprint) }

    /// Waits while other work runs. All calls together read one slice per pause, so that many calls do not slow down
    /// other work more than one call.
    func pause() async {
        guard await pauses.acquire(elseWait: {}) else { return }
        defer { pauses.release() }
        await clock.sleep(until: clock.now.advanced(by: Self.pauseLength))
    }
}
