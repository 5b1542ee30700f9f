import NotificationModel

/// The times of receipts for messages that the index does not have yet, or never gets. A message is written a moment after
/// its result, and a fast device may report it before.
struct EarlyReceipts {
    /// The maximum number of messages. The oldest ones are forgotten first.
    static let most = 1_024

    /// The seconds since 1970 in each column, by message.
    private var times: [RequestKey: [String: Int]] = [:]
    private var order: [RequestKey] = []

    mutating func add(_ seconds: Int, in column: String, of key: RequestKey) {
        if times[key] == nil {
            order.append(key)
            if order.count > Self.most { times[order.removeFirst()] = nil }
        }
        times[key, default: [:]][column, default: seconds] = min(times[key]?[column] ?? seconds, seconds)
    }

    /// Returns the times of a message, and forgets them.
    mutating func take(_ key: RequestKey) -> [String: Int] {
        guard let columns = times.removeValue(forKey: key) else { return [:] }
        order.removeAll { $0 == key }
        return columns
    }
}
