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
