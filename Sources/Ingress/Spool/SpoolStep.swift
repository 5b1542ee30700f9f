import NotificationModel

/// What the spool wants done next, outside of its thread.
enum SpoolStep: Sendable {
    /// All at the same time. Empty: ask again.
    case work([SpoolWork])
    /// Nothing, until something changes or the time comes.
    case wait(until: MonotonicInstant)
    /// Nothing any more.
    case end
}

enum SpoolWork: Sendable {
    case submit(Claim)
    /// A file whose name another, claimed one has.
    case askAbout(SpoolFile)
}

/// What became of a claim.
enum Verdict: Sendable {
    case admission(Admission)
    case unusable(Unusable)
}
