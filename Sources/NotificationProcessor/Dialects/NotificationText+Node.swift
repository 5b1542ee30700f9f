package import JSON
package import NotificationModel

extension NotificationText {
    /// Three keys of an object, where they are strings.
    package init(
        _ node: JSONNode, _ title: String = "title", _ subtitle: String = "subtitle", _ body: String = "body"
    ) {
        self.init(title: node[title].string, subtitle: node[subtitle].string, body: node[body].string)
    }

    /// Line by line: this text's, and the other's where this one has none.
    package func over(_ other: NotificationText) -> NotificationText {
        NotificationText(
            title: title ?? other.title, subtitle: subtitle ?? other.subtitle, body: body ?? other.body)
    }
}

extension AttachmentOptions.ClippingRect {
    /// All four of `x`, `y`, `width` and `height`, each 0…1; nothing else is a rectangle.
    init?(_ node: JSONNode) {
        let sides = ["x", "y", "width", "height"].compactMap { node[$0].double }
        guard sides.count == 4, sides.allSatisfy({ (0...1).contains($0) }) else { return nil }
        self.init(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }
}

extension NotificationAction {
    /// A provider's button, by the keys that the provider has for it; `nil` for one that lacks either.
    init?(_ button: JSONNode, identifier: String, title: String) {
        guard let identifier = button[identifier].identifier, let title = button[title].text else { return nil }
        self.init(identifier: identifier, title: title)
    }
}
