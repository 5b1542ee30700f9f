import ArgumentParser
import Base
import HTTPAPI

/// A duration as the value of a flag, such as `500ms` or `30s`.
package enum DurationArgument {
    package static func parse(_ text: String) throws -> Duration {
        guard let duration = DurationText.parse(text) else {
            throw ValidationError("'\(text)' is not a duration, such as 500ms, 30s or 2m")
        }
        return duration
    }
}

extension DaemonClient {
    /// The time between two questions whether the daemon is ready.
    private static let pause: Duration = .milliseconds(100)

    /// Waits until the daemon accepts requests.
    ///
    /// - Throws: A failure with status 1 and the last obstacle if the daemon is not ready in time.
    package func waitUntilReady(within limit: Duration) async throws {
        let end = MonotonicInstant.now.advanced(by: limit)
        while true {
            let left = MonotonicInstant.now.duration(to: end)
            let obstacle: String
            do {
                let answer = try await ask("GET", "/readyz", within: max(.milliseconds(1), min(left, Self.patience)))
                if answer.status == 200 { return }
                obstacle = answer.text
            } catch let failure as CommandFailure {
                obstacle = failure.message ?? "the daemon cannot be reached"
            }
            guard MonotonicInstant.now.advanced(by: Self.pause) < end else { throw CommandFailure(.failed, obstacle) }
            try await Task.sleep(for: Self.pause)
        }
    }
}
