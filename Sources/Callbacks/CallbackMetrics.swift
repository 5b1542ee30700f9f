import CoreMetrics
import NotificationModel

/// The metrics of callbacks, under the names that `/metrics` shows.
package struct CallbackMetrics: Sendable {
    package static let meanings = [
        "appgroupd_callback_attempts_total": "Attempts to deliver callbacks, by target and by result."
    ]

    func count(_ attempt: CallbackAttempt) {
        let result = attempt.state == .pending ? "retried" : attempt.state.rawValue
        // Targets come from the configuration, so the number of labels is limited.
        Counter(
            label: "appgroupd_callback_attempts_total", dimensions: [("target", attempt.target), ("result", result)]
        ).increment()
    }
}
