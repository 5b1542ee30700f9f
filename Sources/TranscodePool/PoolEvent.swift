package import LinuxIO

/// What a pool does, for metrics and the log.
package enum PoolEvent: Sendable, Equatable {
    case workerStarted
    case workerNotStarted
    /// The pool has killed a worker: at a deadline or a cancel, or because it cannot be trusted.
    case workerKilled
    /// A worker has ended that nobody told to. `atJob`: it had one.
    case workerEnded(ProcessEnd, processIdentifier: Int32, atJob: Bool)
    /// A medium was refused because the workers have no time for it; `isDownloaded`: it was there already.
    case overloaded(isDownloaded: Bool)
    /// Renditions were finished after their deadline, for the next request.
    case finishedLate
    /// A job is tried again on another worker.
    case retried
}
