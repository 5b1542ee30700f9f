/// What a transfer waits for, and since when: pure.
struct TransferPace {
    enum Phase: Equatable {
        case connecting
        case waiting
        case receiving
    }

    private(set) var phase = Phase.connecting
    /// When something last moved: what the limits count from.
    private(set) var lastActivity: ContinuousClock.Instant
    private let firstByte: Duration
    private let idle: Duration

    init(_ limits: FetchLimits, startedAt instant: ContinuousClock.Instant) {
        lastActivity = instant
        firstByte = limits.firstByte
        idle = limits.idle
    }

    mutating func move(to phase: Phase? = nil, at instant: ContinuousClock.Instant) {
        if let phase { self.phase = phase }
        lastActivity = instant
    }

    /// Until when the present phase may last. Connecting has libcurl's own limit; a look after the shortest of these is
    /// never too late for the phase that follows it.
    var end: ContinuousClock.Instant {
        switch phase {
        case .connecting: lastActivity.advanced(by: min(firstByte, idle))
        case .waiting: lastActivity.advanced(by: firstByte)
        case .receiving: lastActivity.advanced(by: idle)
        }
    }

    /// Whether the origin has stood still for longer than its phase may last.
    func isOverdue(at now: ContinuousClock.Instant) -> Bool {
        switch phase {
        case .connecting: false
        case .waiting, .receiving: now >= end
        }
    }
}
