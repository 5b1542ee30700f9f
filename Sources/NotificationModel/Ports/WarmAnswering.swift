package import JSON

/// Warms the items of a call.
package protocol WarmAnswering: Sendable {
    /// Warms the items of a body, one JSON object a line. Returns when all of them have ended; cancelling the task ends
    /// them.
    ///
    /// - Parameter write: takes answers in the order in which their items end, and returns when there is room for more.
    ///   It is called by one task at a time.
    func answer(_ body: [UInt8], write: @escaping @Sendable ([JSONValue]) async -> Void) async
}
