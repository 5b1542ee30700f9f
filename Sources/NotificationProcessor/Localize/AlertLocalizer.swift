import JSON
import NotificationModel

/// Puts the receiver's language in place of an alert's `loc-key`s, from the string tables of its app group.
///
/// The tables are `GROUP/strings/LOCALE.json`, an object of texts by their keys. The language asked for goes first, then
/// shorter forms of it (`de-AT`, `de`; RFC 4647 §3.4), then the default's, then `Base`. Each line is looked up on its
/// own; one that no table has keeps the payload's own text.
struct AlertLocalizer: Sendable {
    let tables: any StringTableReading
    /// Of requests that name none.
    let defaultLanguage: LanguageTag?

    static let base = "Base"

    /// The payload with the found lines in its alert, as if it had been sent so: what a dialect makes of the alert it
    /// makes of them.
    ///
    /// - Parameter language: the receiver's.
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
    /// Longer keys are cut.
    private static let mostShown = 64

    /// Says which lines are empty because no string table has their keys; `nil` when none is.
    func problem(with text: NotificationText) -> String? {
        let lines = [("title", title, text.title), ("subtitle", subtitle, text.subtitle), ("body", body, text.body)]
        let missing = lines.compactMap { name, line, text in
            text?.isEmpty ?? true ? line.map { "\($0.key.prefix(Self.mostShown)) (\(name))" } : nil
        }
        guard !missing.isEmpty else { return nil }
        return "no string table has \(missing.joined(separator: ", ")): add the texts to GROUP/strings/LOCALE.json"
    }
}
