import ArgumentParser
import Base
import FeatureKit
import NotificationModel

/// The requirement of `--require`, which applies to every payload.
enum ProcessRequirement: Equatable, CustomStringConvertible {
    case rich
    case partial
    /// The outcome must be `fallback`, as the test of a fallback text expects.
    case fallback
    /// An iPhone would run the extension, and would fetch and show the original media.
    case phone
    /// The content must have this reason, as the test of a fault expects.
    case reason(DegradationReason)

    /// Parses the value of `--require`.
    init(_ text: String) throws(ValidationError) {
        let single: [ProcessRequirement] = [.rich, .partial, .fallback, .phone]
        if let requirement = single.first(where: { $0.description == text }) {
            self = requirement
        } else if text.hasPrefix("reason=") {
            let name = String(text.dropFirst("reason=".count))
            guard let reason = DegradationReason(rawValue: name) else {
                let names = DegradationReason.allCases.map(\.rawValue)
                let hint = NearestWord.related(to: name, among: names).map { "did you mean reason=\($0)?" }
                throw ValidationError(hint ?? "the reason must be one of: \(names.joined(separator: ", ")).")
            }
            self = .reason(reason)
        } else {
            let names = single.map(\.description)
            let known = names + DegradationReason.allCases.map { "reason=\($0.rawValue)" }
            let hint = NearestWord.related(to: text, among: known).map { "did you mean \($0)?" }
            throw ValidationError(hint ?? "it must be \(names.joined(separator: ", ")) or reason=REASON.")
        }
    }

    var description: String {
        switch self {
        case .rich: "rich"
        case .partial: "partial"
        case .fallback: "fallback"
        case .phone: "phone"
        case .reason(let reason): "reason=\(reason.rawValue)"
        }
    }

    /// Returns a sentence about the requirement that a content does not meet; `nil` if it meets the requirement.
    func shortfall(of notification: ProcessedNotification) -> String? {
        let isMet =
            switch self {
            case .rich: notification.outcome == .rich
            case .partial: [.rich, .partial].contains(notification.outcome)
            case .fallback: notification.outcome == .fallback
            case .reason(let reason): notification.reason == reason
            case .phone: true
            }
        guard isMet else {
            let reason = notification.reason.map { " (\($0.rawValue))" } ?? ""
            return "the outcome is \(notification.outcome.rawValue)\(reason)"
        }
        return self == .phone ? Self.phoneShortfall(of: notification) : nil
    }

    private static func phoneShortfall(of notification: ProcessedNotification) -> String? {
        guard notification.phone.wouldRunExtension == true else {
            let why = notification.phone.why ?? "it is not a push to an iPhone"
            return "an iPhone would not run the extension: \(why)"
        }
        for verdict in notification.verdicts {
            // An omitted media item can have this obstacle, too, because `fetch.schemes` may forbid http here.
            if let obstacle = verdict.phoneObstacle {
                return "an iPhone would not fetch \(verdict.identifier): \(obstacle)"
            }
            if verdict.failure == nil, let code = verdict.unError {
                return "an iPhone would refuse the original of \(verdict.identifier) (UNError \(code.rawValue))"
            }
        }
        return nil
    }
}
