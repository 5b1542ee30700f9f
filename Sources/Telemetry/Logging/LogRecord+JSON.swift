import Logging
import NotificationModel

/// For programs: one JSON object, the four known members first.
extension LogRecord {
    private static let knownKeys: Set<String> = ["time", "level", "message", "label", "omittedFields"]

    var json: String {
        var object: JSONObject = [
            "time": .timestamp(date), "level": .string(level.rawValue), "message": .string(message),
            "label": .string(label),
        ]
        for (key, value) in fields {
            // No field may pass for one of ours.
            object.append(Self.knownKeys.contains(key) ? "metadata.\(key)" : key, value)
        }
        if omittedFields > 0 { object.append("omittedFields", .number(JSONNumber(omittedFields))) }
        return LogText.escapedInJSON(JSONWriter.text(of: .object(object)))
    }
}
