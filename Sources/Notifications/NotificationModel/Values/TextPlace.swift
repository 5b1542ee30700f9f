package import Base

/// A place in a payload at which a recipient reads the texts of the notification.
package enum TextPlace: Sendable, Equatable {
    /// Apple's alert: a text, or a dictionary of lines, which may name texts that the recipient looks up.
    case alert(JSONPath)
    /// The members that hold one line each; `nil` if the format does not have the line.
    case lines(title: JSONPath?, subtitle: JSONPath?, body: JSONPath?)

    /// The alert of a push through APNs.
    package static let apple = alert(JSONPath([.key("aps"), .key("alert")]))

    /// Returns the place of lines that are members of one object. Only Apple's format has a subtitle.
    package static func lines(
        of node: JSONNode, title: String = "title", subtitle: String? = nil, body: String = "body"
    ) -> TextPlace {
        .lines(title: node[title].path, subtitle: subtitle.map { node[$0].path }, body: node[body].path)
    }

    /// Returns the values of the lines in a payload; `nil` if the format does not have the line.
    package func lines(in payload: JSONNode) -> (title: JSONNode?, subtitle: JSONNode?, body: JSONNode?) {
        switch self {
        case .alert(let path):
            let alert = payload.node(at: path)
            return (alert["title"], alert["subtitle"], alert.string == nil ? alert["body"] : alert)
        case .lines(let title, let subtitle, let body):
            return (title.map(payload.node(at:)), subtitle.map(payload.node(at:)), body.map(payload.node(at:)))
        }
    }

    /// Returns whether the payload has a text at this place.
    package func isPresent(in payload: JSONNode) -> Bool {
        if case .alert(let path) = self { return (payload.node(at: path).value ?? .null) != .null }
        let lines = lines(in: payload)
        return [lines.title, lines.subtitle, lines.body].contains { $0?.string != nil }
    }

    /// The object that contains the texts, or to which they are added.
    package var container: JSONPath {
        switch self {
        case .alert(let path): JSONPath(path.steps.dropLast())
        case .lines(let title, let subtitle, let body):
            JSONPath((body ?? title ?? subtitle ?? .root).steps.dropLast())
        }
    }
}

/// The title, the subtitle and the body of a notification. A value is `nil` if the source does not have this text.
package struct NotificationText: Sendable, Equatable {
    package var title: String?
    package var subtitle: String?
    package var body: String?

    package init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    package var isEmpty: Bool { title == nil && subtitle == nil && body == nil }

    /// The text without the lines that have only white space.
    package var withoutBlanks: NotificationText {
        func line(_ text: String?) -> String? { text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        return NotificationText(title: line(title), subtitle: line(subtitle), body: line(body))
    }

    /// Whether all lines are empty. The sender may have no text, or may want nothing to be shown.
    package var isBlank: Bool { [title, subtitle, body].allSatisfy { $0?.isEmpty ?? true } }
}
