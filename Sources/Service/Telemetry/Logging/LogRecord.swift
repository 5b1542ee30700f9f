package import Base
package import FoundationEssentials
package import Logging
import NotificationModel

/// A log event as it is written. The record holds only values, in the order in which they are written.
package struct LogRecord: Sendable {
    package var date: Date
    package var level: Logger.Level
    package var label: String
    package var message: String
    /// The fields sorted by key, so that equal events make equal lines.
    package var fields: [(key: String, value: JSONValue)]
    /// The number of fields that were left out because the line would be too long.
    package var omittedFields = 0

    package init(date: Date, level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        self.date = date
        self.level = level
        self.label = label
        self.message = message
        fields = metadata.sorted { $0.key < $1.key }.map { ($0.key, Self.value(of: $0.value, depth: 0)) }
    }

    /// The deepest nesting of metadata that is written. No caller nests deeper on purpose.
    private static let deepestNesting = 8

    private static func value(of metadata: Logger.MetadataValue, depth: Int) -> JSONValue {
        guard depth < deepestNesting else { return "…" }
        return switch metadata {
        case .string(let text): .string(text)
        case .stringConvertible(let value): scalar(value)
        case .array(let values): .array(values.map { value(of: $0, depth: depth + 1) })
        case .dictionary(let members): .object(object(of: members, depth: depth + 1))
        }
    }

    private static func object(of metadata: Logger.Metadata, depth: Int) -> JSONObject {
        JSONObject(metadata.sorted { $0.key < $1.key }.map { ($0.key, value(of: $0.value, depth: depth)) })
    }

    /// Returns a number as a number and other values as text, so that a reading program can compare numbers.
    private static func scalar(_ value: any CustomStringConvertible) -> JSONValue {
        switch value {
        case let integer as Int: .number(integer)
        case let number as Double where number.isFinite: .number(number)
        case let bool as Bool: .bool(bool)
        default: .string(value.description)
        }
    }

    // MARK: Shortening of long records

    /// Returns a copy with at most `bytes` bytes of each text and at most `count` elements of each list. A mark
    /// replaces each part that is left out.
    func cut(textsTo bytes: Int, listsTo count: Int) -> LogRecord {
        var record = self
        record.label = Self.cut(label, to: bytes)
        record.message = Self.cut(message, to: bytes)
        record.fields = fields.prefix(count).map { (Self.cut($0.key, to: bytes), Self.cut($0.value, bytes, count)) }
        record.omittedFields = fields.count - record.fields.count
        return record
    }

    private static func cut(_ value: JSONValue, _ bytes: Int, _ count: Int) -> JSONValue {
        switch value {
        case .string(let text): return .string(cut(text, to: bytes))
        case .array(let elements):
            let kept = elements.prefix(count).map { cut($0, bytes, count) }
            return .array(kept + (elements.count > count ? [mark(elements.count - count, "elements")] : []))
        case .object(let object):
            var kept = JSONObject()
            for member in object.members.prefix(count) {
                kept.append(cut(member.key, to: bytes), cut(member.value, bytes, count))
            }
            if object.members.count > count { kept.append("…", mark(object.members.count - count, "members")) }
            return .object(kept)
        case .null, .bool, .number: return value
        }
    }

    private static func mark(_ count: Int, _ what: String) -> JSONValue { .string("… \(count) \(what) more") }

    private static func cut(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        // The text is cut at a boundary between Unicode scalars.
        var end = text.utf8.index(text.startIndex, offsetBy: bytes)
        while String.Index(end, within: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return "\(text[..<end])… \(text.utf8.distance(from: end, to: text.endIndex)) bytes more"
    }
}

/// The form of a record for programs: one JSON object, with the four known members first.
extension LogRecord {
    private static let knownKeys: Set<String> = ["time", "level", "message", "label", "omittedFields"]

    var json: [UInt8] {
        var object: JSONObject = [
            "time": .timestamp(date), "level": .string(level.rawValue), "message": .string(message),
            "label": .string(label),
        ]
        for (key, value) in fields {
            // A field with the name of a known member gets a prefix, so that it cannot replace that member.
            object.append(Self.knownKeys.contains(key) ? "metadata.\(key)" : key, value)
        }
        if omittedFields > 0 { object.append("omittedFields", .number(omittedFields)) }
        return LogText.escapedInJSON(JSONWriter.bytes(of: .object(object)))
    }
}

/// The form of a record for people: `TIME level label: message key=value`.
extension LogRecord {
    func text(colors: Bool) -> String {
        let style = TextStyle(hasColors: colors)
        var line = style.dim + (JSONValue.timestamp(date).string ?? "") + style.end + " "
        // The longest name of a level has 8 letters, so the labels are in one column.
        line += style.start(of: level) + level.rawValue.leftAligned(in: 8) + style.end
        return line + " \(LogText.escaped(label)): " + sentence(style)
    }

    /// The message and the fields, in one line without line ends.
    var sentence: String { sentence(TextStyle(hasColors: false)) }

    private func sentence(_ style: TextStyle) -> String {
        var line = LogText.escaped(message)
        for (key, value) in fields { line += " \(style.dim)\(LogText.word(key))=\(style.end)\(Self.word(value))" }
        if omittedFields > 0 { line += " \(style.dim)… \(omittedFields) fields more\(style.end)" }
        return line
    }

    private static func word(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): LogText.word(text)
        case .array, .object: String(decoding: LogText.escapedInJSON(JSONWriter.bytes(of: value)), as: UTF8.self)
        case .null, .bool, .number: JSONWriter.text(of: value)
        }
    }
}

/// The escape sequences of ECMA-48 "select graphic rendition", or empty texts in their place.
private struct TextStyle {
    let hasColors: Bool

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
