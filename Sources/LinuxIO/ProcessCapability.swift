import Glibc

/// A capability that a daemon needs for workers of another user (capabilities(7)).
package enum ProcessCapability: UInt64, Sendable {
    /// The capability to end processes of other users (CAP_KILL).
    case kill = 5
    /// The capability to raise the limits of processes of other users (CAP_SYS_RESOURCE).
    case raiseLimits = 24

    /// Whether the calling process has the capability now, by `CapEff` of `/proc/self/status`.
    package var isEffective: Bool {
        let set = ProcessFacts(of: getpid())?.words("CapEff")?.first.flatMap { UInt64($0, radix: 16) } ?? 0
        return set & 1 << rawValue != 0
    }
}
