import NotificationModel

extension NotificationAction {
    /// A provider's button, by the keys that the provider has for it; `nil` for one that lacks either.
    init?(_ button: JSONNode, identifier: String, title: String) {
        guard let identifier = button[identifier].identifier, let title = button[title].text else { return nil }
        self.init(identifier: identifier, title: title)
    }
}
