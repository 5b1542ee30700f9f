/// Where the daemon is in its life.
package enum DaemonPhase: Sendable, Equatable {
    /// What an earlier daemon left is being taken up.
    case starting
    case ready
    /// It takes nothing more, and emits what it has.
    case draining
}
