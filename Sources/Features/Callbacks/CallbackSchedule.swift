import FoundationEssentials
import NotificationModel

/// The times of the attempts to deliver a message, which Standard Webhooks recommends.
enum CallbackSchedule {
    /// The pauses after each failed attempt. The first attempt is made at once.
    static let pauses: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(36_000),
        .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ]
    /// The largest part of a pause that is added at random, so that many messages do not come back together.
    static let jitter = 0.1
    /// The longest pause that `Retry-After` can ask for.
    static let maxPause: Duration = .seconds(86_400)

    /// Returns the pause after an attempt; `nil` after the last one.
    ///
    /// - Parameter attempts: The number of attempts that have ended, with this one.
    /// - Parameter retryAfter: The pause that the target asks for; `nil` if it asks for none.
    /// - Parameter random: A number from 0 to 1.
    static func pause(after attempts: Int, retryAfter: Duration?, random: Double) -> Duration? {
        guard attempts >= 1, attempts <= pauses.count else { return nil }
        let pause = pauses[attempts - 1] * (1 + jitter * random)
        return max(pause, min(retryAfter ?? .zero, maxPause))
    }
}

/// The effect of an answer on its message and on its target.
struct CallbackVerdict: Equatable {
    enum Kind: Equatable {
        case delivered
        /// The target refuses this message. Others may be delivered.
        case refused
        /// The target or the way to it fails, so other messages would fail too.
        case unavailable
        /// The target does not want any further message (status 410).
        case gone
    }

    let kind: Kind
    var status: Int?
    var retryAfter: Duration?
    /// A sentence about the failure; `nil` after a success.
    var problem: String?

    init(_ answer: OutgoingAnswer) {
        switch answer {
        case .failed(let problem):
            kind = .unavailable
            self.problem = problem
        case .answered(let status, let retryAfter, _):
            self.status = status
            self.retryAfter = retryAfter
            switch status {
            case 200...299: kind = .delivered
            case 410:
                kind = .gone
                problem = "the target answered 410 (Gone)"
            case 408, 429, 500...:
                kind = .unavailable
                problem = "the target answered \(status)"
            case 300...399:
                kind = .refused
                problem =
                    "the target answered \(status), and no redirect is followed: write the final URL into the configuration"
            default:
                kind = .refused
                problem = "the target answered \(status)"
            }
        }
    }
}
