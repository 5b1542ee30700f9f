import Base
import NotificationModel

/// The error of a condition that did not become true in time.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until a condition that has no event becomes true. The condition is checked every millisecond. If there is an
/// event, a test should wait for the event instead.
///
/// - Parameter what: The condition in words, for the error message.
/// - Throws: `NeverCame` after the limit.
package func wait(
    for what: String, atMost limit: Duration = .seconds(20), isolation: isolated (any Actor)? = #isolation,
    until isSo: () async throws -> Bool
) async throws {
    let end = MonotonicInstant.now.advanced(by: limit)
    while try await !isSo() {
        guard MonotonicInstant.now < end, !Task.isCancelled else {
            throw NeverCame(description: "not in time: \(what)")
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
