package import Primitives

/// The counts of the calls of each caller, which keep one caller from taking the share of another.
///
/// **Input.** The caller of each call, and the monotonic time. **Output.** A permit, or the reason for the refusal. A
/// call is refused at once, and never waits. **Bounds.** At most `mostCallers` callers are counted. Callers without an
/// unfinished call whose rate is unused are forgotten first.
package final class CallLimiter: Sendable {
    /// The reason for which a call is refused.
    package enum Refusal: Error, Sendable, Equatable {
        /// The caller calls too often. The next call is permitted after this time.
        case rate(retryAfter: Duration)
        /// The caller has too many unfinished calls.
        case concurrent(most: Int)
    }

    private static let mostCallers = 16_384
    /// The time whose calls may come at once.
    private static let window: Duration = .seconds(1)

    private struct Count {
        /// The time at which the calls so far would end if they came evenly (GCRA, the generic cell rate algorithm).
        var evenEnd: MonotonicInstant
        var unfinished = 0
    }

    private let counts = Guarded<[String: Count]>([:])

    package init() {}

    /// Counts a call, or refuses it at once.
    ///
    /// - Returns: A permit, which the caller's last reference releases; `nil` if the caller has no limits.
    package func admit(_ caller: Caller, at now: MonotonicInstant) throws(Refusal) -> CallPermit? {
        let limits = caller.limits
        guard limits.rate != nil || limits.concurrent != nil else { return nil }
        let result: Result<Int?, Refusal> = counts.withLock { counts in
            if counts.count >= Self.mostCallers, counts[caller.name] == nil {
                counts = counts.filter { $0.value.unfinished > 0 || $0.value.evenEnd > now }
                guard counts.count < Self.mostCallers else { return .failure(.rate(retryAfter: Self.window)) }
            }
            var count = counts[caller.name] ?? Count(evenEnd: now)
            if let most = limits.concurrent, count.unfinished >= most { return .failure(.concurrent(most: most)) }
            var remaining: Int?
            if let rate = limits.rate {
                let end = max(now, count.evenEnd).advanced(by: Self.window / rate)
                let used = now.duration(to: end)
                guard used <= Self.window else { return .failure(.rate(retryAfter: used - Self.window)) }
                count.evenEnd = end
                remaining = Int((Self.window - used) / (Self.window / rate))
            }
            count.unfinished += 1
            counts[caller.name] = count
            return .success(remaining)
        }
        return CallPermit(remaining: try result.get(), rate: limits.rate) { [self] in release(caller.name) }
    }

    private func release(_ name: String) { counts.withLock { $0[name]?.unfinished -= 1 } }
}

/// The permit of a call. It is released with its last reference: when the call has its response, and when the result of
/// its accepted request is emitted.
package final class CallPermit: Sendable {
    /// The number of further calls that were permitted after this call; `nil` if the rate is not limited.
    package let remaining: Int?
    /// The number of calls that are permitted in a second; `nil` if the rate is not limited.
    package let rate: Int?
    private let release: @Sendable () -> Void

    fileprivate init(remaining: Int?, rate: Int?, release: @escaping @Sendable () -> Void) {
        self.remaining = remaining
        self.rate = rate
        self.release = release
    }

    deinit { release() }
}
