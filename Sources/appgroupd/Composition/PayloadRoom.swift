import NotificationModel
import ServiceConfiguration

/// The memory for large payloads: `requests.largeBodyBytes`, or less in a control group with little memory.
struct PayloadRoom {
    /// A payload takes about four times its size on its way, and the daemon and its workers take most of the memory.
    private static let share = 16
    /// The part of the memory limit that the values of one payload may take. They are at work alone if they take more
    /// than the room for values.
    private static let valuesShare = 8

    /// The room for payloads of more than 256 KiB.
    let bodies: ByteLimiter
    /// The room for payloads with many values.
    let values: ByteLimiter
    /// Bytes of `bodies`.
    let largeBodyBytes: Int
    /// The memory limit because of which the room is smaller than the configured one; `nil`: it is the configured one.
    let reducingLimit: Int?

    /// - Parameter memoryLimit: the memory limit of the daemon's control group, in bytes; `nil`: none.
    init(_ configuration: Configuration, memoryLimit: Int?) {
        let configured = configuration.requests.largeBodyBytes
        largeBodyBytes = min(configured, memoryLimit.map { max(1 << 20, $0 / Self.share) } ?? configured)
        reducingLimit = largeBodyBytes < configured ? memoryLimit : nil
        bodies = ByteLimiter(limit: largeBodyBytes)
        values = ByteLimiter(
            limit: max(1, largeBodyBytes / 2), most: memoryLimit.map { max(2 << 20, $0 / Self.valuesShare) } ?? .max)
    }
}
