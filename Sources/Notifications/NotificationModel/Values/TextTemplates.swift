package import Base

/// The operator's templates for the texts that notifications show, by dialect.
package struct TextTemplates: Sendable, Equatable {
    /// The templates of one dialect. A line without a template keeps its text.
    package struct Lines: Sendable, Equatable {
        package var title: TextTemplate?
        package var subtitle: TextTemplate?
        package var body: TextTemplate?

        package init() {}
    }

    /// The name of the templates for every dialect.
    package static let everyDialect = "*"

    /// The name of the app in `{app}`; `nil` for the name of the app group.
    package var app: String?
    /// The templates by the names of dialects. A line that a dialect has no template for has that of ``everyDialect``.
    package var lines: [String: Lines] = [:]

    package init() {}

    /// Returns a text as the templates show it.
    ///
    /// A text without characters stays as it is, because the notification shows no text then. A payload that no dialect
    /// recognises passes through without changes.
    package func text(
        showing text: NotificationText, of payload: JSONObject, in dialect: DialectID?, group: AppGroupName
    ) -> NotificationText {
        guard !lines.isEmpty, let dialect, !text.isBlank else { return text }
        let (own, every) = (lines[dialect.description], lines[Self.everyDialect])
        let (name, root) = (app ?? group.description, JSONNode(payload))
        func line(
            _ line: KeyPath<Lines, TextTemplate?>, _ plain: KeyPath<NotificationText, String?>, lines: Bool = false
        ) -> String? {
            let template = own?[keyPath: line] ?? every?[keyPath: line]
            return template?.line(of: text, app: name, payload: root, lines: lines) ?? text[keyPath: plain]
        }
        return NotificationText(
            title: line(\.title, \.title), subtitle: line(\.subtitle, \.subtitle),
            body: line(\.body, \.body, lines: true))
    }
}
