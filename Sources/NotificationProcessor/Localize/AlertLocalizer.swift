import Base
import NotificationModel

/// The localizer of alerts. It replaces `loc-key`s by texts in the recipient's language, from the string tables of its
/// app group.
///
/// The tables are `GROUP/strings/LOCALE.json`, an object of texts by their keys. The requested language takes
/// precedence, then its fallbacks (`de-AT`, `de`, `de-DE`), then the default language and its fallbacks, then
/// `Base`. The title, the subtitle and the body are looked up separately. If no table has the key of one of them, it
/// keeps the payload's own text.
struct AlertLocalizer: Sendable {
    let tables: any StringTableReading
    /// The language of requests that name no language.
    let defaultLanguage: LanguageTag?

    static let base = "Base"

    /// Returns the payload with the found texts in its alert. Dialects read them as the sender's texts.
    ///
    /// - Parameter language: The recipient's language.
    func localized(
        _ payload: JSONObject, _ localization: AlertLocalization, language: LanguageTag?, in group: AppGroupName
    ) async -> JSONObject {
        var missing = [
            ("title", localization.title), ("subtitle", localization.subtitle), ("body", localization.body),
        ].compactMap { name, line in line.map { (name: name, line: $0) } }
        var value = JSONValue.object(payload)
        for name in names(for: language) {
            guard !missing.isEmpty, !Task.isCancelled else { break }
            guard let table = await tables.table(name, in: group) else { continue }
            missing.removeAll { name, line in
                guard let format = table[line.key] else { return false }
                guard let text = LocalizedFormat.text(format, line.arguments) else { return true }
                value = value.setting(name, to: .string(text), at: localization.place)
                return true
            }
        }
        return value.object ?? payload
    }

    private func names(for language: LanguageTag?) -> [String] {
        var names: [String] = []
        for tag in [language, defaultLanguage].compactMap(\.self) {
            names += tag.fallbacks.map(\.description).filter { !names.contains($0) }
        }
        return names + [Self.base]
    }
}

extension AlertLocalization {
    /// The maximum number of characters of a key that a problem shows.
    private static let maxShown = 64

    /// Returns the problem of texts that are empty because no string table has their keys; `nil` if there are none.
    func problem(with text: NotificationText) -> String? {
        let lines = [("title", title, text.title), ("subtitle", subtitle, text.subtitle), ("body", body, text.body)]
        let missing = lines.compactMap { name, line, text in
            text?.isEmpty ?? true ? line.map { "\($0.key.prefix(Self.maxShown)) (\(name))" } : nil
        }
        guard !missing.isEmpty else { return nil }
        return "no string table has \(missing.joined(separator: ", ")): add the texts to GROUP/strings/LOCALE.json"
    }
}

/// A formatter that inserts the arguments into a text of a string table, in the format of Apple's "String Format
/// Specifiers". `%@` takes the next argument, `%2$@` takes the second, and `%%` is a percent sign. `%d`, `%i` and `%u`
/// are like `%@`, because the arguments of a push are texts.
enum LocalizedFormat {
    /// The longest text, in bytes. A payload has at most 5,120 bytes, and no platform shows more.
    static let maxLength = 1 << 16

    /// Inserts the arguments into a text. The placeholder of a missing argument stays visible.
    ///
    /// - Returns: `nil` for a text that would be too long. A few arguments in many placeholders could make gigabytes.
    static func text(_ format: String, _ arguments: [String]) -> String? {
        guard format.utf8.count <= maxLength else { return nil }
        var text = ""
        var next = 0
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            guard text.utf8.count <= maxLength else { return nil }
            text += rest[..<percent]
            let after = rest[rest.index(after: percent)...]
            if after.first == "%" {
                text += "%"
                rest = after.dropFirst()
            } else if let (position, end) = placeholder(after) {
                let index = position ?? next
                if position == nil { next += 1 }
                let argument = arguments.indices.contains(index) ? arguments[index] : String(rest[percent..<end])
                guard argument.utf8.count <= maxLength else { return nil }
                text += argument
                rest = rest[end...]
            } else {
                text += "%"
                rest = after
            }
        }
        text += rest
        return text.utf8.count <= maxLength ? text : nil
    }

    /// - Returns: The index of the argument, from 0, and the end of the placeholder. The index is `nil` for the next
    ///   argument. The result is `nil` if the text is not a placeholder.
    private static func placeholder(_ text: Substring) -> (position: Int?, end: Substring.Index)? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        var rest = text[digits.endIndex...]
        var position: Int?
        if !digits.isEmpty {
            guard rest.first == "$", let number = Int(digits), number > 0 else { return nil }
            position = number - 1
            rest = rest.dropFirst()
        }
        guard let kind = rest.first, "@diu".contains(kind) else { return nil }
        return (position, rest.index(after: rest.startIndex))
    }
}
