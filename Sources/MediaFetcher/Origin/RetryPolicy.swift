import HTTPCaching
import NotificationModel

/// The policy that decides whether, when and from which position a failed transfer is repeated. It has no clock.
///
/// A transfer is repeated if its failure may be temporary. Temporary failures are a connection that was refused, lost
/// or cut off, a stalled origin, and a name server that did not answer. So are some statuses (`TemporaryStatus`). An
/// attempt that cannot end within the budget is not started.
struct RetryPolicy: Sendable {
    enum Decision: Equatable {
        case giveUp
        /// Another attempt starts after a pause. `from` is the number of bytes that have arrived; the attempt requests
        /// the rest with `Range` (RFC 9110 §14.2).
        case again(after: Duration, from: Int)
    }

    /// The facts about an attempt on which the decision depends.
    struct Attempt {
        /// The number of the attempt, counted from 1.
        var number: Int
        var reason: DegradationReason?
        var status: Int?
        /// The pause that `Retry-After` asks for.
        var retryAfter: Duration?
        /// The time for which a failed name is not resolved again.
        var nameCooldown: Duration = .zero
        /// The number of bytes in the file, if the rest can be requested; otherwise 0.
        var resumableBytes = 0
        var completeLength: Int?
        /// The time from the start of the connection to the first byte of the response.
        var timeToFirstByte: Duration?
        var timeOfBody: Duration?
        /// The number of bytes that arrived in `timeOfBody`.
        var bodyBytes = 0
        /// Whether the origin has flooded a new connection of HTTP/1.1. It would flood the next connection too.
        var isFlooded = false
    }

    static let maxAttempts = 3
    static let maxPause: Duration = .seconds(2)
    /// The minimum time of an attempt if the speed of the host is unknown.
    static let minTry: Duration = .milliseconds(20)

    /// The pause before the first retry. The pause before the second retry is twice as long.
    var firstPause = FetchLimits().retryPause

    /// Decides whether the fetch makes another attempt in the remaining time of the waiting request with the longest
    /// budget. The random number `jitter`, 0…1, is read only if there is a pause. The pause is between half of its full
    /// length (0) and its full length (1).
    func decide(_ attempt: Attempt, remaining: Duration, jitter: @autoclosure () -> Double) -> Decision {
        guard attempt.number < Self.maxAttempts, Self.isWorthTrying(attempt) else { return .giveUp }
        let doubled = min(firstPause * (1 << (attempt.number - 1)), Self.maxPause)
        // The name servers are not asked while a failure is cached. The failure of a name that does not exist is cached
        // for longer than `maxPause`.
        guard attempt.nameCooldown <= Self.maxPause else { return .giveUp }
        let pause = max(doubled * (0.5 + jitter() / 2), attempt.retryAfter ?? .zero, attempt.nameCooldown)
        guard pause + need(attempt) <= remaining else { return .giveUp }
        return .again(after: pause, from: attempt.resumableBytes)
    }

    private static func isWorthTrying(_ attempt: Attempt) -> Bool {
        if attempt.isFlooded { return false }
        if let status = attempt.status, attempt.reason == nil || attempt.reason == .httpStatus {
            return TemporaryStatus.contains(status)
        }
        return switch attempt.reason {
        case .dnsFailed, .connectFailed, .connectionLost, .truncated, .budgetExceeded: true
        default: false
        }
    }

    /// Returns the shortest time that another attempt can take, estimated from the given attempt.
    private func need(_ attempt: Attempt) -> Duration {
        let answer = max(attempt.timeToFirstByte ?? Self.minTry, Self.minTry)
        guard let whole = attempt.completeLength, let time = attempt.timeOfBody, attempt.bodyBytes > 0 else {
            return answer
        }
        let missing = max(0, whole - attempt.resumableBytes)
        return answer + time * (Double(missing) / Double(attempt.bodyBytes))
    }
}
