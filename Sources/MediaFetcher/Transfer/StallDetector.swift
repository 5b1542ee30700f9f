import Base
import NotificationModel

/// The phase of a transfer, and the time of its last activity. The detector has no clock.
struct StallDetector {
    enum Phase: Equatable {
        case connecting
        case waiting
        case receiving
    }

    private(set) var phase = Phase.connecting
    /// The time of the last activity, from which all limits are counted.
    private(set) var lastActivity: MonotonicInstant
    /// Whether the transfer has been inactive for `stallThreshold`, and no byte of a response has arrived since then.
    private(set) var isStalled = false
    private let limits: FetchLimits

    init(_ limits: FetchLimits, startedAt instant: MonotonicInstant) {
        lastActivity = instant
        self.limits = limits
    }

    mutating func move(to phase: Phase? = nil, at instant: MonotonicInstant) {
        if let phase { self.phase = phase }
        lastActivity = instant
    }

    /// The time at which the current phase exceeds its limit; `nil` while connecting, which libcurl limits.
    var end: MonotonicInstant? {
        switch phase {
        case .connecting: nil
        case .waiting: lastActivity.advanced(by: limits.firstByte)
        case .receiving: lastActivity.advanced(by: limits.idle)
        }
    }

    /// Returns whether the origin has exceeded the limit of the current phase.
    func isOverdue(at now: MonotonicInstant) -> Bool { end.map { now >= $0 } ?? false }

    /// Returns whether a second connection may race the transfer.
    func mayBeHedged(at now: MonotonicInstant) -> Bool {
        limits.hedgeAfter.map { now >= lastActivity.advanced(by: $0) } ?? false
    }

    /// Marks the transfer as stalled after `stallThreshold` without activity. Returns whether this call has marked it.
    mutating func markStalled(at now: MonotonicInstant) -> Bool {
        guard !isStalled, now >= lastActivity.advanced(by: limits.stallThreshold) else { return false }
        isStalled = true
        return true
    }

    /// Records that a byte of a response has arrived. Returns whether the transfer was stalled.
    mutating func resumed() -> Bool {
        guard isStalled else { return false }
        isStalled = false
        return true
    }

    /// Returns the time of the next check, which is early enough for this phase and for one that begins before it.
    func nextCheck(after now: MonotonicInstant) -> MonotonicInstant {
        var next = now.advanced(by: min(limits.firstByte, limits.idle, limits.stallThreshold))
        if let end { next = min(next, end) }
        if !isStalled { next = min(next, lastActivity.advanced(by: limits.stallThreshold)) }
        if let hedgeAfter = limits.hedgeAfter {
            next = min(next, now.advanced(by: hedgeAfter))
            if !mayBeHedged(at: now) { next = min(next, lastActivity.advanced(by: hedgeAfter)) }
        }
        return max(next, now.advanced(by: Self.checkInterval))
    }

    /// The minimum interval between two checks.
    static let checkInterval = Duration.milliseconds(10)
}
