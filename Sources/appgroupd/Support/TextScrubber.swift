import Base
import Digests

/// Removes secrets and data about persons from the texts of a support bundle.
///
/// A text of this program has no secrets. But a configuration has URLs with credentials, and a log may have a text of a
/// library. So each word is judged: a URL keeps its scheme, its host and its port, a mail address is left out, and a long
/// word of letters and digits, which may be a token or an identifier, becomes a digest. Equal words have equal digests.
enum TextScrubber {
    /// The number of characters from which on a word may be a secret.
    private static let longWord = 20
    private static let digestBytes = 4

    /// Returns a text without secrets.
    static func text(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word($0) }.joined(separator: " ")
    }

    /// Returns a value with all its strings without secrets. The keys stay.
    static func value(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(Self.text(text))
        case .array(let elements): .array(elements.map(Self.value))
        case .object(let object): .object(JSONObject(object.members.map { ($0.key, Self.value($0.value)) }))
        case .null, .bool, .number: value
        }
    }

    private static func word(_ word: Substring) -> String {
        if word.contains("://") { return url(word) }
        if word.contains("@") { return "(address)" }
        // The marks around a word and the name before a value stay, as in `key="value",`.
        let parts = word.split(omittingEmptySubsequences: false) { "=,;()[]{}<>\"'".contains($0) }
        guard parts.contains(where: mayBeSecret) else { return String(word) }
        var result = ""
        var rest = word[...]
        for part in parts {
            result += mayBeSecret(part) ? digest(part) : String(part)
            rest = rest.dropFirst(part.count)
            if let mark = rest.popFirst() { result.append(mark) }
        }
        return result
    }

    /// Returns the origin of a URL, without the text before and after it.
    private static func url(_ word: Substring) -> String {
        guard let mark = word.firstRange(of: "://") else { return String(word) }
        let scheme = String(word[..<mark.lowerBound].reversed().prefix { $0.isASCII && $0.isLetter }.reversed())
        let rest = word[mark.lowerBound...].prefix { !",;)}>\"'".contains($0) }
        let host = UncheckedURL(scheme + rest).hostAndOwnPort ?? ""
        let isPlain = host.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._:[]*".utf8.contains($0) }
        return "\(scheme)://\(isPlain ? host : "(host)")/…"
    }

    /// Returns whether a word may be a token, a key or an identifier: a long word that is no path, no host name and no
    /// name of a program.
    private static func mayBeSecret(_ word: Substring) -> Bool {
        guard word.count >= longWord, !word.hasPrefix("/"), word.utf8.contains(where: \.isASCIIDigit) else {
            return false
        }
        let isHost =
            word.contains(".")
            && word.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                label.count <= longWord
                    && label.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_:*".utf8.contains($0) }
            }
        return !isHost
    }

    private static func digest(_ word: Substring) -> String {
        "~" + Hexadecimal.text(of: SHA256.hash(Array(word.utf8)).prefix(digestBytes))
    }
}
