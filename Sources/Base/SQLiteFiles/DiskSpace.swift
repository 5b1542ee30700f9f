import GRDB
import LinuxIO

/// The retries of writes on a full disk, for which the HTTP cache evicts responses.
package enum DiskSpace {
    /// The number of bytes that one eviction must free.
    package static let step = 1 << 20

    /// Runs a body, and repeats it on a full disk as long as `freeSpace` frees space.
    package static func withFreeSpace<Value>(
        from freeSpace: @Sendable (_ byteCount: Int) async -> Bool, isolation: isolated (any Actor)? = #isolation,
        _ body: () throws -> Value
    ) async throws -> Value {
        while true {
            do { return try body() } catch  where isFull(error) {
                guard await freeSpace(step) else { throw error }
            }
        }
    }

    /// Returns whether the disk was too full for a write, or for the index of the WAL in the file `-shm`.
    package static func isFull(_ error: any Error) -> Bool {
        if let error = error as? SystemError { return error.isDiskFull }
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    }
}
