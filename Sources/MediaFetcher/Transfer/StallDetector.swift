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
    private(set) var isStandingStill = false
    private let firstByte: Duration
    private let idle: Duration
    private let patience: Duration

    init(_ limits: FetchLimits, startedAt instant: MonotonicInstant) {
        lastActivity = instant
        firstByte = limits.firstByte
        idle = limits.idle
        patience = limits.patience
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

    /// It has begun to stand still.
    mutating func standsStill(at now: MonotonicInstant) -> Bool {
        guard !isStandingStill, now >= lastActivity.advanced(by: patience) else { return false }
        isStandingStill = true
        return true
    }

    /// Something of an answer has come; whether it stood still before.
    mutating func movesAgain() -> Bool {
        guard isStandingStill else { return false }
        isStandingStill = false
        return true
    }

    /// When to look next: early enough for the end of this phase, and for all that may begin after this look.
    func nextLook(after now: MonotonicInstant) -> MonotonicInstant {
        var next = now.advanced(by: min(firstByte, idle, patience))
        if let end { next = min(next, end) }
        if !isStandingStill { next = min(next, lastActivity.advanced(by: patience)) }
        return max(next, now.advanced(by: Self.lookTime))
    }

    /// From one look to the next, at least.
    static let lookTime = Duration.milliseconds(10)
}
