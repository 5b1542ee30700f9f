import NotificationModel

/// What a transfer waits for, and since when: pure.
struct StallDetector {
    enum Phase: Equatable {
        case connecting
        case waiting
        case receiving
    }

    private(set) var phase = Phase.connecting
    /// When something last moved: what the limits count from.
    private(set) var lastActivity: MonotonicInstant
    /// Nothing has moved for as long as the patience lasts, and nothing of an answer has come since.
    private(set) var isStalled = false
    private let firstByte: Duration
    private let idle: Duration
    private let stallThreshold: Duration
    private let hedgeAfter: Duration?

    init(_ limits: FetchLimits, startedAt instant: MonotonicInstant) {
        lastActivity = instant
        firstByte = limits.firstByte
        idle = limits.idle
        stallThreshold = limits.stallThreshold
        hedgeAfter = limits.hedgeAfter
    }

    mutating func move(to phase: Phase? = nil, at instant: MonotonicInstant) {
        if let phase { self.phase = phase }
        lastActivity = instant
    }

    /// Until when the present phase may last; `nil` while connecting, which has libcurl's own limit.
    var end: MonotonicInstant? {
        switch phase {
        case .connecting: nil
        case .waiting: lastActivity.advanced(by: firstByte)
        case .receiving: lastActivity.advanced(by: idle)
        }
    }

    /// Whether the origin has stood still for longer than its phase may last.
    func isOverdue(at now: MonotonicInstant) -> Bool { end.map { now >= $0 } ?? false }

    /// Whether a second connection may overtake the transfer.
    func mayBeHedged(at now: MonotonicInstant) -> Bool {
        hedgeAfter.map { now >= lastActivity.advanced(by: $0) } ?? false
    }

    /// It has begun to stand still.
    mutating func isStalled(at now: MonotonicInstant) -> Bool {
        guard !isStalled, now >= lastActivity.advanced(by: stallThreshold) else { return false }
        isStalled = true
        return true
    }

    /// Something of an answer has come; whether it stood still before.
    mutating func resumed() -> Bool {
        guard isStalled else { return false }
        isStalled = false
        return true
    }

    /// When to look next: early enough for the end of this phase, and for all that may begin after this look.
    func nextCheck(after now: MonotonicInstant) -> MonotonicInstant {
        var next = now.advanced(by: min(firstByte, idle, stallThreshold))
        if let end { next = min(next, end) }
        if !isStalled { next = min(next, lastActivity.advanced(by: stallThreshold)) }
        if let hedgeAfter {
            next = min(next, now.advanced(by: hedgeAfter))
            if !mayBeHedged(at: now) { next = min(next, lastActivity.advanced(by: hedgeAfter)) }
        }
        return max(next, now.advanced(by: Self.checkInterval))
    }

    /// From one look to the next, at least.
    static let checkInterval = Duration.milliseconds(10)
}
