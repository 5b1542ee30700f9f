import Base
import LinuxIO
import NotificationModel

/// The last lines of a log file, and of the file before it if the log was rotated, without secrets.
///
/// A line keeps its time, its level, its message, its numbers and the fields that name a part of the program. The other
/// fields become lengths, because a field may have an identifier or a text of another program.
enum LogTail {
    static let maxLines = 500
    /// The maximum number of bytes that are read from the end of the file.
    static let maxBytes = 1 << 20

    /// The fields whose values are from a small set, or are names of hosts and groups.
    private static let plainFields: Set<String> = [
        "time", "level", "logger", "message", "msg", "label", "ms", "status", "method", "path", "outcome", "reason",
        "group", "host", "version", "by", "pid", "atJob", "thread", "layer", "why", "requests", "listen", "root",
        "socket", "metrics", "limit", "room", "cause", "stage", "profile", "dialect",
    ]

    /// Returns the lines of a log.
    ///
    /// - Throws: A `SystemError` if its present file cannot be read.
    static func lines(of path: String) throws(SystemError) -> [String] {
        var lines = try texts(of: path)
        if lines.count < maxLines, let older = try? texts(of: path + ".1") { lines = older + lines }
        return lines.suffix(maxLines).map(line)
    }

    private static func texts(of path: String) throws(SystemError) -> [String] {
        let file = try FileSystem.openForReading(path)
        let size = try FileSystem.size(of: file)
        let start = max(0, size - maxBytes)
        let bytes = try FileSystem.bytes(of: file, at: start, count: size - start)
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        // The first line may be a part of a line.
        return lines.dropFirst(start > 0 ? 1 : 0).suffix(maxLines).map { String($0) }
    }

    static func line(_ text: String) -> String {
        guard let object = try? JSONParser.value(of: text).object else {
            // The time at the beginning is no identifier.
            let time = text.prefixMatch(of: #/[0-9-]+T[0-9:.]+Z /#)?.output ?? ""
            return time + TextScrubber.text(shapingFields(of: String(text.dropFirst(time.count))))
        }
        let members = object.members.map { member -> (String, JSONValue) in
            (member.key, plainFields.contains(member.key) ? TextScrubber.value(member.value) : shape(of: member.value))
        }
        return JSONWriter.text(of: .object(JSONObject(members)))
    }

    /// The fields whose values are names, also if they are numbers.
    private static let identifiers: Set<String> = ["callback", "erasure", "id", "recipient", "request-id"]

    /// Replaces the values of `key=value` in a line of the format `text`. A quoted value has escaped quotation marks.
    private static func shapingFields(of line: String) -> String {
        line.replacing(/([A-Za-z][A-Za-z0-9-]*)=("(?:[^"\\]|\\.)*"?|\S+)/) { match in
            let (key, value) = (String(match.1), match.2)
            let isNumber = !identifiers.contains(key) && value.allSatisfy { "0123456789.-".contains($0) }
            guard !plainFields.contains(key), !isNumber else { return String(match.0) }
            return "\(key)=(\(HumanText.counted(value.count, "character")))"
        }
    }

    private static func shape(of value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: value
        case .string(let text): .string("(\(HumanText.counted(text.count, "character")))")
        case .array(let elements): .array(elements.map(shape))
        case .object(let object): .object(JSONObject(object.members.map { ($0.key, shape(of: $0.value)) }))
        }
    }
}
