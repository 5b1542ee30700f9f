package import NotificationModel

/// The limits that all calls of `POST /v1/warm` share.
package final class WarmCallLimiter: Sendable {
    /// Items of all calls that are in flight.
    static let mostItems = 1_024
    /// Estimated memory of these items, in bytes. Each item counts as 8 KiB or more.
    static let mostBytes = 8 << 20
    private static let pauseLength: Duration = .milliseconds(2)

    private let memory = ByteLimiter(limit: mostBytes)
    /// The pauses of all calls come one after the other.
    private let pauses = AsyncSemaphore(permits: 1)
    let clock: any RequestClock

    package init(clock: any RequestClock) { self.clock = clock }

    /// Returns a lease for an item if there is room for it and no other item waits for room; else `nil`.
    ///
    /// - Parameter footprint: the estimated memory of the item, in bytes.
    func lease(_ footprint: Int) -> ByteLease? { memory.lease(Self.bytes(footprint)) }

    /// Waits for room for an item.
    ///
    /// - Returns: `nil` if the task was cancelled.
    func leaseWhenFree(_ footprint: Int) async -> ByteLease? { await memory.leaseWhenFree(Self.bytes(footprint)) }

    private static func bytes(_ footprint: Int) -> Int { max(mostBytes / mostItems, footprint) }

    /// Waits for a time in which other work has the processor. All calls together read one slice in each pause, so that
    /// their number makes no difference to others.
    func pause() async {
        guard await pauses.acquire(elseWait: {}) else { return }
        defer { pauses.release() }
        await clock.sleep(until: clock.now.advanced(by: Self.pauseLength))
    }
}
