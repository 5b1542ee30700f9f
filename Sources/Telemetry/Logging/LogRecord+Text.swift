import JSON
import Logging
import NotificationModel

/// The form of a record for people: `TIME level label: message key=value`.
extension LogRecord {
    func text(colors: Bool) -> String {
        let style = colors ? TextStyle.colored : .plain
        var line = style.dim + (JSONValue.timestamp(date).string ?? "") + style.end + " "
        line += style.start(of: level) + Self.padded(level) + style.end
        line += " \(LogText.escaped(label)): \(LogText.escaped(message))"
        for (key, value) in fields {
            line += " \(style.dim)\(LogText.word(key))=\(style.end)\(Self.word(value))"
        }
        if omittedFields > 0 { line += " \(style.dim)… \(omittedFields) fields more\(style.end)" }
        return line
    }

    private static func word(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): LogText.word(text)
        case .array, .object: LogText.escapedInJSON(JSONWriter.text(of: value))
        case .null, .bool, .number: JSONWriter.text(of: value)
        }
    }

    /// Returns the name of a level, padded to the longest name so that the labels are in one column.
    private static func padded(_ level: Logger.Level) -> String {
        level.rawValue + String(repeating: " ", count: max(0, 8 - level.rawValue.utf8.count))
    }
}

/// The escape sequences of ECMA-48 "select graphic rendition", or empty texts in their place.
private struct TextStyle {
    let hasColors: Bool

    static let plain = TextStyle(hasColors: false)
    static let colored = TextStyle(hasColors: true)

    var dim: String { sequence(2) }
    var end: String { sequence(0) }

    func start(of level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: dim
        case .info: sequence(32)
        case .notice: sequence(36)
        case .warning: sequence(33)
        case .error: sequence(31)
        case .critical: sequence(41)
        }
    }

    private func sequence(_ parameter: Int) -> String { hasColors ? "\u{1B}[\(parameter)m" : "" }
}
