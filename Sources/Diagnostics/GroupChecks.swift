import NotificationModel
import Primitives
import ServiceConfiguration

/// The check of the settings of single app groups.
enum GroupChecks {
    static func settings(_ groups: AppGroups) -> Answer {
        let warnings = groups.warnings
        guard warnings.isEmpty else {
            return .warning(warnings.joined(separator: "; "), remedy: "Correct groups in the configuration.")
        }
        guard !groups.settings.isEmpty else { return .ok("none is named, and every group is served") }
        let own = groups.settings.filter { !$0.keys.isEmpty }.count
        let words = "\(HumanText.counted(groups.settings.count, "group")), \(own) with settings of their own"
        return .ok(groups.isOpen ? "\(words), and every other group is served" : words)
    }
}
