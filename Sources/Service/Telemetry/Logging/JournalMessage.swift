import Base
import Logging

/// A record as a message of the journal's native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL). Each field of the record
/// is a field of the journal, so that `journalctl APPGROUPD_ID=…` finds the lines of a request.
///
/// A value with a line feed is written with its length before it. Otherwise a value could begin another field.
enum JournalMessage {
    /// The maximum number of bytes of a message, far below the limit of a datagram. The text of the message repeats the
    /// fields, so a message is up to three times as long as a line.
    static let maxBytes = 3 * LogLine.maxBytes

    /// The maximum length of a field's name (systemd.journal-fields(7)).
    private static let maxName = 64

    static func bytes(of record: LogRecord) -> [UInt8] {
        var message: [UInt8] = []
        append("MESSAGE", record.sentence, to: &message)
        append("PRIORITY", "\(priority(of: record.level))", to: &message)
        append("SYSLOG_IDENTIFIER", "appgroupd", to: &message)
        append("APPGROUPD_LABEL", record.label, to: &message)
        for (key, value) in record.fields { append(name(of: key), text(of: value), to: &message) }
        return message
    }

    /// Returns the priority of syslog(3), from 7 for the least severe level.
    private static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// Returns the name of a field: `APPGROUPD_REQUEST_ID` for `request-id`, and `APPGROUPD_AT_JOB` for `atJob`.
    private static func name(of key: String) -> String {
        var name = "APPGROUPD_"
        var wasLower = false
        for character in key.utf8 {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
            guard name.utf8.count < maxName - 1 else { break }
            if isUpper, wasLower { name += "_" }
            let scalar = Unicode.Scalar(isLower ? character & 0xDF : character)
            name.unicodeScalars.append(isUpper || isLower || isDigit ? scalar : "_")
            wasLower = isLower || isDigit
        }
        return name
    }

    private static func text(of value: JSONValue) -> String { value.string ?? JSONWriter.text(of: value) }

    private static func append(_ name: String, _ value: String, to message: inout [UInt8]) {
        message += name.utf8
        let bytes = value.utf8
        if bytes.contains(UInt8(ascii: "\n")) {
            message.append(UInt8(ascii: "\n"))
            for shift in stride(from: 0, to: 64, by: 8) {
                message.append(UInt8(truncatingIfNeeded: bytes.count >> shift))
            }
        } else {
            message.append(UInt8(ascii: "="))
        }
        message += bytes
        message.append(UInt8(ascii: "\n"))
    }
}
