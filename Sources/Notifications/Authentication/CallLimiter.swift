package import Base

/// The counts of the calls of each caller, which keep one caller from taking the share of another.
///
/// **Input.** The caller of each call, and the monotonic time. **Output.** A permit, or the reason for the refusal. A
/// call is refused at once, and never waits. **Bounds.** The subjects of each issuer are counted apart from all other
/// callers, at most `maxCallers` of them. An issuer with many subjects therefore takes no place of another issuer. Only
/// a caller without an unfinished call whose rate is unused is forgotten, so that no caller gets its rate twice.
package final class CallLimiter: Sendable {
    /// The reason for which a call is refused.
    package enum Refusal: Error, Sendable, Equatable {
        /// The caller calls too often. The next call is permitted after this time.
        case rate(retryAfter: Duration)
        /// The caller has too many unfinished calls. `remaining` is the number of calls that its rate still permits;
        /// `nil` if the rate is not limited.
        case concurrent(most: Int, remaining: Int?)
        /// Too many other subjects of the caller's issuer are counted at the moment.
        case crowded
    }

    /// The maximum number of counted subjects of an issuer, and of counted tokens of the configuration.
    static let maxCallers = 4_096
    /// The time whose calls may come at once.
    private static let window: Duration = .seconds(1)

    private struct Count {
        /// The time at which the calls so far would end if they came evenly (GCRA, the generic cell rate algorithm).
        var evenEnd: MonotonicInstant
        var unfinished = 0
    }

    /// The counts by issuer and by name. Tokens of the configuration have no issuer.
    private let counts = Guarded<[String?: [String: Count]]>([:])

    package init() {}

    /// Counts a call, or refuses it at once.
    ///
    /// - Returns: A permit, which the caller's last reference releases; `nil` if the caller has no limits.
    package func admit(_ caller: Caller, at now: MonotonicInstant) throws(Refusal) -> CallPermit? {
        let limits = caller.limits
        guard limits.rate != nil || limits.concurrent != nil else { return nil }
        let result: Result<Int?, Refusal> = counts.withLock { counts in
            Self.admit(caller, at: now, in: &counts[caller.issuer, default: [:]])
        }
        return CallPermit(remaining: try result.get(), rate: limits.rate) { [self] in release(caller) }
    }

    private static func admit(
        _ caller: Caller, at now: MonotonicInstant, in counts: inout [String: Count]
    ) -> Result<Int?, Refusal> {
        let limits = caller.limits
        if counts.count >= maxCallers, counts[caller.name] == nil {
            counts = counts.filter { $0.value.unfinished > 0 || $0.value.evenEnd > now }
            guard counts.count < maxCallers else { return .failure(.crowded) }
        }
        var count = counts[caller.name] ?? Count(evenEnd: now)
        // The times are those before this call and after it.
        let times = limits.rate.map { rate in
            (before: max(now, count.evenEnd), after: max(now, count.evenEnd).advanced(by: window / rate))
        }
        func remaining(at end: MonotonicInstant?) -> Int? {
            guard let end, let rate = limits.rate else { return nil }
            return Int((window - now.duration(to: end)) / (window / rate))
        }
        if let most = limits.concurrent, count.unfinished >= most {
            return .failure(.concurrent(most: most, remaining: remaining(at: times?.before)))
        }
        if let end = times?.after {
            guard now.duration(to: end) <= window else {
                return .failure(.rate(retryAfter: now.duration(to: end) - window))
            }
            count.evenEnd = end
        }
        count.unfinished += 1
        counts[caller.name] = count
        return .success(remaining(at: times?.after))
    }

    private func release(_ caller: Caller) {
        counts.withLock { $0[caller.issuer]?[caller.name]?.unfinished -= 1 }
    }

    /// The number of callers that are counted.
    var counted: Int { counts.withLock { $0.values.reduce(0) { $0 + $1.count } } }
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
