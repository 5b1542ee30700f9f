import LinuxIO
import NotificationModel

/// The retries of writes on a full disk. The HTTP cache evicts responses to free space for files and rows that are
/// needed.
enum DiskSpace {
    /// The number of bytes that one eviction must free.
    static let step = 1 << 20

    /// Runs a body, and repeats it on a full disk as long as `freeSpace` frees space.
    static func withFreeSpace<Value>(
        from freeSpace: @Sendable (_ byteCount: Int) async -> Bool, isolation: isolated (any Actor)? = #isolation,
        _ body: () throws -> Value
    ) async throws -> Value {
        while true {
            do { return try body() } catch  where isFull(error) {
                guard await freeSpace(step) else { throw error }
            }
        }
    }

    private static func isFull(_ error: any Error) -> Bool {
        (error as? SystemError)?.isDiskFull ?? JournalDatabase.isFull(error)
    }
}
