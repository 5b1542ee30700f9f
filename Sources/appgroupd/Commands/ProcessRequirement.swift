import ArgumentParser
import NotificationModel

/// The least that `--require` asks of every payload.
enum ProcessRequirement: String, ExpressibleByArgument, CaseIterable {
    case rich
    case partial
    /// An iPhone would have run the extension and taken the media as they are.
    case phone

    /// Returns what a content lacks; `nil` if it has what is required.
    func shortfall(of notification: ProcessedNotification) -> String? {
        let outcome = notification.outcome
        let reason = notification.reason.map { " (\($0.rawValue))" } ?? ""
        switch self {
        case .rich: return outcome == .rich ? nil : "the outcome is \(outcome.rawValue)\(reason)"
        case .partial:
            return [.rich, .partial].contains(outcome) ? nil : "the outcome is \(outcome.rawValue)\(reason)"
        case .phone: return phoneShortfall(of: notification)
        }
    }

    private func phoneShortfall(of notification: ProcessedNotification) -> String? {
        guard notification.phone.wouldRunExtension == true else {
            return
                "an iPhone would not run the extension: \(notification.phone.why ?? "it is not a push to an iPhone")"
        }
        let refused = notification.verdicts.first { $0.failure == nil && $0.unError != nil }
        return refused.flatMap { verdict in
            verdict.unError.map {
                "an iPhone would refuse the original of \(verdict.identifier) (UNError \($0.rawValue))"
            }
        }
    }
}

/// The findings that decide the exit status of `process`.
struct ProcessStatus {
    private var hasFailed = false
    private var isShort = false

    mutating func count(problem: String?, shortfall: String?) {
        hasFailed = hasFailed || problem != nil
        isShort = isShort || shortfall != nil
    }

    /// The status of failed work, or else that of a requirement that is not met.
    var exitStatus: ExitStatus { hasFailed ? .failed : isShort ? .requirementNotMet : .done }
}
