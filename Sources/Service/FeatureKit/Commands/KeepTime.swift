package import ArgumentParser
import Base
package import FoundationEssentials
import NotificationModel

/// The time until which renditions are kept: a duration from now, or a date.
package enum KeepTime {
    /// Returns the date that a text stands for at a given time; `nil` if the text is neither a duration nor a date.
    package static func date(_ text: String, at now: Date) -> Date? {
        if let duration = DurationText.parse(text) { return now.addingTimeInterval(duration.seconds) }
        return Timestamp.parse(text) ?? Timestamp.parse("\(text)T00:00:00Z")
    }

    /// Checks the value of `--keep`.
    package static func validate(_ text: String, at now: Date) throws(ValidationError) {
        guard let date = date(text, at: now) else {
            throw ValidationError("--keep \(text): it must be a duration, such as 14d, or a date, such as 2026-01-31.")
        }
        guard date > now else { throw ValidationError("--keep \(text): it must be in the future.") }
    }
}
