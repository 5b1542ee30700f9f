import LinuxIO

/// The rule for replacing a healthy worker by a new one.
///
/// A media file may take control of a worker without a crash. The worker's code then has access to the media of later
/// jobs. A worker is therefore ended after `mostJobs`. A worker that keeps too much memory is also ended. A start costs
/// 20 ms of a processor.
enum WorkerLifetime {
    static let mostJobs = 1_000
    /// The largest private memory of a worker between two jobs, in bytes. The allocator keeps at most 64 MiB of free
    /// blocks.
    static let mostIdleBytes = 160 << 20

    static func isOver(afterJobs count: Int, of processIdentifier: Int32) -> Bool {
        count >= mostJobs || ProcessMemory.privateBytes(of: processIdentifier) ?? 0 > mostIdleBytes
    }
}
