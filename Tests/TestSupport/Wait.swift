import NotificationModel

/// What a test waited for in vain.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}

/// Waits for what tells nobody when it comes: looked at again and again, for a time in which it would have come. Where
/// there is an event, the event is waited for.
///
/// - Parameter what: is waited for, in words.
package func wait(
    for what: String, atMost limit: Duration = .seconds(20), isolation: isolated (any Actor)? = #isolation,
    until isSo: () async throws -> Bool
) async throws {
    let end = MonotonicInstant.now.advanced(by: limit)
    while try await !isSo() {
        guard MonotonicInstant.now < end, !Task.isCancelled else {
            throw NeverCame(description: "it never came: \(what)")
        }
        await Task.yield()
    }
}
