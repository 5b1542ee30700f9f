/// A limit on the number of bytes that are in use at a time. It grants leases in the order of their requests.
///
/// Large payloads share one limiter, so that callers cannot fill the memory. A lease is released with its last
/// reference.
package final class ByteLimiter: Sendable {
    /// The maximum number of bytes that one payload may need. Callers refuse a payload that needs more.
    package let most: Int
    private let limit: Int
    private let free: AsyncSemaphore

    /// - Parameter limit: The number of bytes that may be in use at a time. A lease of more bytes gets all of them.
    package init(limit: Int, most: Int = .max) {
        self.limit = limit
        self.most = most
        free = AsyncSemaphore(permits: limit)
    }

    /// Returns a lease if enough bytes are free and no caller waits for bytes; otherwise `nil`.
    package func lease(_ count: Int) -> ByteLease? {
        let count = min(count, limit)
        return free.acquireIfFree(count) ? ByteLease(count, of: self) : nil
    }

    /// Waits for a lease. Returns `nil` after `patience`, or when the task is cancelled.
    package func lease(_ count: Int, within patience: Duration, on clock: any RequestClock) async -> ByteLease? {
        let count = min(count, limit)
        let isGranted = await free.acquire(count, until: clock.now.advanced(by: patience), on: clock)
        return isGranted ? ByteLease(count, of: self) : nil
    }

    /// Waits for a lease. Returns `nil` if the task is cancelled.
    package func leaseWhenFree(_ count: Int) async -> ByteLease? {
        let count = min(count, limit)
        return await free.acquire(count) ? ByteLease(count, of: self) : nil
    }

    fileprivate func release(_ count: Int) { free.release(count) }
}

/// A share of a limiter's bytes. It is released by `release`, or with the last reference to the lease.
package final class ByteLease: Sendable {
    private let count: Guarded<Int>
    private let limiter: ByteLimiter

    fileprivate init(_ count: Int, of limiter: ByteLimiter) {
        self.count = Guarded(count)
        self.limiter = limiter
    }

    /// Returns the bytes to the limiter. A second call has no effect.
    package func release() {
        let count = count.withLock { count in
            defer { count = 0 }
            return count
        }
        if count > 0 { limiter.release(count) }
    }

    deinit { release() }
}
