import NotificationModel

/// Whether a transfer that failed is tried again, when, and from where: pure.
///
/// Tried again is what may go better the next time: a connection that was refused, lost or cut off, an origin that stood
/// still, a name server that did not answer, and the answers 408, 425, 429, 500, 502, 503 and 504. A try that cannot
/// end inside the budget is not begun.
struct RetryPolicy: Sendable {
    enum Decision: Equatable {
        case giveUp
        /// - from: how many bytes there are already; the rest is asked for by `Range` (RFC 9110 §14.2).
        case again(after: Duration, from: Int)
    }

    /// The facts about an attempt that the decision rests on.
    struct Attempt {
        /// 1 for the first.
        var number: Int
        var reason: DegradationReason?
        var status: Int?
        /// The pause that `Retry-After` asks for.
        var retryAfter: Duration?
        /// The time for which a failed name is not asked for again.
        var nameRest: Duration = .zero
        /// Bytes in the file, where the rest of them can be asked for; else 0.
        var resumableBytes = 0
        var completeLength: Int?
        /// From the connection to the answer's first byte.
        var timeToFirstByte: Duration?
        var timeOfBody: Duration?
        /// Bytes that came in `timeOfBody`.
        var bodyBytes = 0
    }

    static let mostAttempts = 3
    static let longestPause: Duration = .seconds(2)
    /// The least time of a try if nothing is known of the host.
    static let leastTry: Duration = .milliseconds(20)

    /// Pause before the first retry. The pause before the second is twice as long.
    var firstPause = FetchLimits().retryPause

    /// - Parameters:
    ///   - remaining: of the longest budget among those who wait for it.
    ///   - jitter: 0…1, asked for where there is a pause; the pause is so much of its length, and never less than half.
    func decide(_ attempt: Attempt, remaining: Duration, jitter: @autoclosure () -> Double) -> Decision {
        guard attempt.number < Self.mostAttempts, Self.isWorthTrying(attempt) else { return .giveUp }
        let doubled = min(firstPause * (1 << (attempt.number - 1)), Self.longestPause)
        // No name server is asked while a failure is remembered. A name that does not exist is remembered for longer.
        guard attempt.nameRest <= Self.longestPause else { return .giveUp }
        let pause = max(doubled * (0.5 + jitter() / 2), attempt.retryAfter ?? .zero, attempt.nameRest)
        guard pause + need(attempt) <= remaining else { return .giveUp }
        return .again(after: pause, from: attempt.resumableBytes)
    }

    /// Answers of an origin that is in trouble for the moment.
    static func isPassing(_ status: Int) -> Bool { [408, 425, 429, 500, 502, 503, 504].contains(status) }

    private static func isWorthTrying(_ attempt: Attempt) -> Bool {
        if let status = attempt.status, attempt.reason == nil || attempt.reason == .httpStatus {
            return isPassing(status)
        }
        return switch attempt.reason {
        case .dnsFailed, .connectFailed, .connectionLost, .truncated, .budgetExceeded: true
        default: false
        }
    }

    /// The shortest time that another try can take, by what this one has shown.
    private func need(_ attempt: Attempt) -> Duration {
        let answer = max(attempt.timeToFirstByte ?? Self.leastTry, Self.leastTry)
        guard let whole = attempt.completeLength, let time = attempt.timeOfBody, attempt.bodyBytes > 0 else {
            return answer
        }
        let missing = max(0, whole - attempt.resumableBytes)
        return answer + time * (Double(missing) / Double(attempt.bodyBytes))
    }
}
