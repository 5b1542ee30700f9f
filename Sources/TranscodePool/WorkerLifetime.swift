import LinuxIO

/// When a worker that is healthy gives way to a new one.
///
/// A worker that a file has taken over without a crash sees the media of later jobs. It is ended after `mostJobs`, as is
/// one that keeps memory that it does not need. A start costs 20 ms of a processor.
enum WorkerLifetime {
    static let mostJobs = 1_000
    /// Private memory of a worker between two jobs, in bytes. The allocator keeps at most 64 MiB of free blocks.
    static let mostIdleBytes = 160 << 20

    static func isOver(afterJobs count: Int, of processIdentifier: Int32) -> Bool {
        count >= mostJobs || ProcessMemory.privateBytes(of: processIdentifier) ?? 0 > mostIdleBytes
    }
}
