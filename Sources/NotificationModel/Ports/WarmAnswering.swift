package import JSON

/// The port that warms the items of a call.
package protocol WarmAnswering: Sendable {
    /// Warms the items of a body that has one JSON object per line. Returns when all items have ended. If the task is
    /// cancelled, the items are cancelled.
    ///
    /// - Parameter write: A function that takes results in the order in which their items end. It returns when there is
    ///   room for more. One task calls it at a time.
    func answer(_ body: [UInt8], write: @escaping @Sendable ([JSONValue]) async -> Void) async
}
