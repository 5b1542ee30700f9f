import NotificationModel

/// A condition did not hold in time.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until a condition holds that reports no event. The condition is checked every millisecond. A test that can wait
/// for an event waits for the event.
///
/// - Parameter what: the condition in words, for the error message.
/// - Throws: `NeverCame` after the limit.
package func wait(
    for what: String, atMost limit: Duration = .seconds(20), isolation: isolated (any Actor)? = #isolation,
    until isSo: () async throws -> Bool
) async throws {
    let end = MonotonicInstant.now.advanced(by: limit)
    while try await !isSo() {
        guard MonotonicInstant.now < end, !Task.isCancelled else {
            throw NeverCame(description: "it never came: \(what)")
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
