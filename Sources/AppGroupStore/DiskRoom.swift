import LinuxIO
import NotificationModel

/// Room on a full disk: the HTTP cache gives way to whatever cannot be done without.
enum DiskRoom {
    /// Bytes that are asked for at a time.
    static let step = 1 << 20

    /// Tries again as long as room is made.
    static func withRoom<Value>(
        from makeRoom: @Sendable (_ byteCount: Int) async -> Bool, isolation: isolated (any Actor)? = #isolation,
        _ body: () throws -> Value
    ) async throws -> Value {
        while true {
            do { return try body() } catch  where isFull(error) {
                guard await makeRoom(step) else { throw error }
            }
        }
    }

    private static func isFull(_ error: any Error) -> Bool {
        (error as? SystemError)?.isDiskFull ?? JournalDatabase.isFull(error)
    }
}
