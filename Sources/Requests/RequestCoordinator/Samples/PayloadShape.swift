import Base
import Digests

/// The shape of a payload: its keys, and the kinds and the lengths of its values, without its texts.
///
/// A program that reads the payload takes the same way with the shape, so a bug can be repeated with it. The values have no
/// text of a person, no identifier and no secret; keys with the form of a name in a program stay, so names that are keys
/// of a payload do too. A text becomes a text of the letter `x` with the same length, and a
/// URL keeps only its host and the extension of its file. Numbers keep their number of digits. Only words of the
/// protocols, such as `default`, stay.
struct PayloadShape {
    /// The maximum number of values of a shape. Further members and elements are left out.
    static let maxValues = 500
    /// The maximum length of a text. Longer texts are cut.
    static let maxText = 256
    private static let maxKey = 40
    /// The number of bytes of a digest that are shown.
    private static let digestBytes = 6

    /// The values of Apple's and the providers' keys that decide how a payload is read. No person writes them.
    private static let words: Set<String> = [
        "default", "passive", "active", "time-sensitive", "critical", "image", "video", "audio", "gif", "photo",
        "carousel", "text", "true", "false", "yes", "no", "high", "normal", "background", "alert", "ios", "android",
        "GET", "POST",
    ]

    private var valuesLeft = maxValues

    /// Returns the shape of a payload.
    static func of(_ value: JSONValue) -> JSONValue {
        var shape = PayloadShape()
        return shape.shape(of: value)
    }

    private mutating func shape(of value: JSONValue) -> JSONValue {
        valuesLeft -= 1
        switch value {
        case .null, .bool: return value
        case .number(let number): return .number(Self.number(like: number))
        case .string(let text): return .string(Self.text(like: text))
        case .array(let elements):
            var shapes: [JSONValue] = []
            for element in elements where valuesLeft > 0 { shapes.append(shape(of: element)) }
            return .array(shapes)
        case .object(let object):
            var shapes = JSONObject()
            for member in object.members where valuesLeft > 0 {
                shapes.append(Self.key(like: member.key), shape(of: member.value))
            }
            return .object(shapes)
        }
    }

    /// Returns a text without its content, or a URL with its host only.
    static func text(like text: String) -> String {
        if words.contains(text) || MediaFormat.named(mimeType: text) != nil { return text }
        return url(like: text) ?? String(repeating: "x", count: min(text.count, maxText))
    }

    /// Returns a URL with the host of another URL and a digest in place of its path; `nil` if the text is no URL of http
    /// or https.
    static func url(like text: String) -> String? {
        guard text.utf8.count <= WebURL.maxLength, let origin = origin(of: text) else { return nil }
        let file = MediaFormat.named(fileOf: text).map { "." + $0.fileExtension } ?? ""
        return "\(origin)/\(digest(of: text))\(file)"
    }

    /// Returns the scheme, the host and the port of a URL; `nil` if the text is no URL of http or https.
    static func origin(of text: String) -> String? {
        guard let scheme = ["https", "http"].first(where: { text.lowercased().hasPrefix($0 + "://") }),
            let host = UncheckedURL(text).hostAndOwnPort, !host.isEmpty, host.utf8.allSatisfy(isOfHost)
        else { return nil }
        return "\(scheme)://\(host)"
    }

    /// Returns the first digits of the SHA-256 of a text, which tell whether two texts are equal.
    static func digest(of text: String) -> String {
        Hexadecimal.text(of: SHA256.hash(Array(text.utf8)).prefix(digestBytes))
    }

    /// Returns a key if it is a name in a program. Another key, such as a mail address or a number, may be data.
    private static func key(like key: String) -> String {
        let isName =
            !key.isEmpty && key.utf8.count <= maxKey
            && key.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-.".utf8.contains($0) }
            && key.utf8.count(where: \.isASCIIDigit) <= 4
        return isName ? key : "key-\(digest(of: key))"
    }

    /// Returns a number with the same number of digits. Small numbers are flags and versions, and stay.
    private static func number(like number: JSONNumber) -> JSONNumber {
        guard let value = number.integer else { return JSONNumber(literal: "0.5") }
        guard value.magnitude >= 1_000 else { return number }
        let digits = String(value.magnitude).count
        return JSONNumber(literal: (value < 0 ? "-" : "") + "1" + String(repeating: "0", count: digits - 1))
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._:[]".utf8.contains(byte)
    }
}
