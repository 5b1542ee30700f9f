package import Base
package import NotificationModel

extension NotificationText {
    /// Creates the text from three members of an object. A member that is not a string is treated as missing.
    package init(
        _ node: JSONNode, _ title: String = "title", _ subtitle: String = "subtitle", _ body: String = "body"
    ) {
        self.init(title: node[title].string, subtitle: node[subtitle].string, body: node[body].string)
    }

    /// Returns this text. A missing title, subtitle or body is taken from the other text.
    package func over(_ other: NotificationText) -> NotificationText {
        NotificationText(title: title ?? other.title, subtitle: subtitle ?? other.subtitle, body: body ?? other.body)
    }
}

extension Rectangle<Double> {
    /// Creates the rectangle from `x`, `y`, `width` and `height`, each from 0 to 1; `nil` if one is missing or wrong.
    package init?(_ node: JSONNode) {
        let sides = ["x", "y", "width", "height"].compactMap { node[$0].double }
        guard sides.count == 4, sides.allSatisfy({ (0...1).contains($0) }) else { return nil }
        self.init(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }
}

extension JSONNode {
    /// Returns the actions of a provider's buttons. A button without an identifier or a title is left out.
    ///
    /// - Parameter link: A function that returns the value of a button with the link that it opens.
    func actions(
        identifier: String, title: String, link: (JSONNode) -> JSONNode? = { _ in nil }
    ) -> [NotificationAction] {
        elements.compactMap { button in
            var action = NotificationAction(button, identifier: identifier, title: title)
            action?.link = link(button)?.text
            return action
        }
    }
}

extension JSONObject {
    /// Adds a text. If the text is `nil`, nothing is added.
    mutating func append(_ key: String, text: String?) {
        if let text { append(key, .string(text)) }
    }
}

extension NotificationAction {
    /// Creates the action of a provider's button, by the provider's keys; `nil` if a value is missing.
    init?(_ button: JSONNode, identifier: String, title: String) {
        guard let identifier = button[identifier].identifier, let title = button[title].text else { return nil }
        self.init(identifier: identifier, title: title)
    }
}
