package import JSON

/// Warms the items of a call.
package protocol WarmAnswering: Sendable {
    /// Begins to warm the items of a body, one JSON object a line.
    ///
    /// - Returns: an answer for each item, in the order in which they end. Leaving the stream cancels the rest.
    func answers(to body: [UInt8]) -> AsyncStream<JSONValue>
}
