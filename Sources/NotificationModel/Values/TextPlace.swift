package import JSON

/// A place of a payload where a receiver reads the texts of the notification.
package enum TextPlace: Sendable, Equatable {
    /// Apple's alert: a text, or a dictionary of lines, which may name texts that the receiver looks up.
    case alert(JSONPath)
    /// The members that hold a line each; `nil`: the format has no such line.
    case lines(title: JSONPath?, subtitle: JSONPath?, body: JSONPath?)

    /// The alert of a push through APNs.
    package static let apple = alert(JSONPath([.key("aps"), .key("alert")]))

    /// The lines that are members of one object. Formats other than Apple's have no subtitle.
    package static func lines(
        of node: JSONNode, title: String = "title", subtitle: String? = nil, body: String = "body"
    ) -> TextPlace {
        .lines(title: node[title].path, subtitle: subtitle.map { node[$0].path }, body: node[body].path)
    }

    /// The values of the lines in a payload; `nil`: the format has no such line.
    package func lines(in payload: JSONNode) -> (title: JSONNode?, subtitle: JSONNode?, body: JSONNode?) {
        switch self {
        case .alert(let path):
            let alert = payload.node(at: path)
            return (alert["title"], alert["subtitle"], alert.string == nil ? alert["body"] : alert)
        case .lines(let title, let subtitle, let body):
            return (title.map(payload.node(at:)), subtitle.map(payload.node(at:)), body.map(payload.node(at:)))
        }
    }

    /// Whether the payload says something there.
    package func isPresent(in payload: JSONNode) -> Bool {
        if case .alert(let path) = self { return (payload.node(at: path).value ?? .null) != .null }
        let lines = lines(in: payload)
        return [lines.title, lines.subtitle, lines.body].contains { $0?.string != nil }
    }

    /// The object that the texts are in, or are to be put into.
    package var container: JSONPath {
        switch self {
        case .alert(let path): JSONPath(path.steps.dropLast())
        case .lines(let title, let subtitle, let body):
            JSONPath((body ?? title ?? subtitle ?? .root).steps.dropLast())
        }
    }
}

/// The three lines of a notification. `nil` means that the source says nothing about the line.
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

    /// Whether no line has a character. A sender that wants nothing shown and one that has no text look alike.
    package var isBlank: Bool { [title, subtitle, body].allSatisfy { $0?.isEmpty ?? true } }
}
