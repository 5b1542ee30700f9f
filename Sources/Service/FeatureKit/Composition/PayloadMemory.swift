package import Base
import NotificationModel
package import ServiceConfiguration

/// The memory for large payloads: `requests.largeBodyBytes`, or less in a control group with little memory.
package struct PayloadMemory {
    /// The divisor of the memory limit for the bytes of all large payloads. A payload takes about four times its size
    /// during processing, and the daemon and its workers take most of the memory.
    private static let share = 16
    /// The divisor of the memory limit for the values of one payload. Larger values are processed alone.
    private static let valuesShare = 8

    /// The limiter of the memory for payloads of more than 256 KiB.
    package let bodies: ByteLimiter
    /// The limiter of the memory for payloads with many values.
    package let values: ByteLimiter
    /// The size of the memory for large payloads, in bytes.
    package let largeBodyBytes: Int
    /// The memory limit because of which less memory than configured is used for large payloads, in bytes. The value is
    /// `nil` if the configured size is used.
    package let reducingLimit: Int?

    /// Creates the limiters for a daemon.
    ///
    /// - Parameter memoryLimit: The memory limit of the daemon's control group, in bytes. `nil` without a limit.
    package init(_ configuration: Configuration, memoryLimit: Int?) {
        let configured = configuration.requests.largeBodyBytes
        largeBodyBytes = min(configured, memoryLimit.map { max(1 << 20, $0 / Self.share) } ?? configured)
        reducingLimit = largeBodyBytes < configured ? memoryLimit : nil
        bodies = ByteLimiter(limit: largeBodyBytes)
        values = ByteLimiter(
            limit: max(1, largeBodyBytes / 2), most: memoryLimit.map { max(2 << 20, $0 / Self.valuesShare) } ?? .max)
    }
}
