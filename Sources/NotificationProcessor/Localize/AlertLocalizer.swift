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

    /// - Parameter language: the receiver's.
    func localized(_ payload: PushPayload, language: LanguageTag?, in group: AppGroupName) async -> PushPayload {
        var missing = payload.localization
        var payload = payload
        for name in names(for: language) {
            guard !missing.isEmpty, !Task.isCancelled else { break }
            guard let table = await tables.table(name, in: group) else { continue }
            func take(_ line: inout AlertLocalization.Line?, _ text: inout String?) {
                guard let asked = line, let format = table[asked.key] else { return }
                text = LocalizedFormat.text(format, asked.arguments)
                line = nil
            }
            take(&missing.title, &payload.successText.title)
            take(&missing.subtitle, &payload.successText.subtitle)
            take(&missing.body, &payload.successText.body)
        }
        return payload
    }

    private func names(for language: LanguageTag?) -> [String] {
        var names: [String] = []
        for tag in [language, defaultLanguage].compactMap(\.self) {
            names += tag.fallbacks.map(\.description).filter { !names.contains($0) }
        }
        return names + [Self.base]
    }
}
