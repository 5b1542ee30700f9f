package import JSON

/// The settings that the vendor's SDK leaves to an app. The defaults are the values of the vendor ("Custom
/// Settings" of its iOS guide).
package struct TwoMeeSettings: Sendable, Equatable {
    /// The kind whose sound is used for messages of an unknown kind.
    package static let otherKind = "other"
    /// The kinds of messages with sounds.
    package static let kinds = ["face", "image", "animation", "video", "text", otherKind]

    package var category = "appear2meeNotificationCategory"
    package var expiredText = "Sorry, opportunity missed!"
    package var accept = "OK"
    package var dismiss = "Dismiss"
    package var play = "Play"
    /// The texts in other languages, by the tag in lower case.
    package var languages: [String: TwoMeeLabels] = [:]
    /// The name of the sound for each kind. Messages of an unknown kind have a separate sound.
    package var sounds = Dictionary(
        uniqueKeysWithValues: kinds.map { ($0, $0 == "face" ? "tothepoint.aiff" : "slowspringboard.aiff") })
    /// Whether images are stored for the app's content extension instead of being attached.
    package var putsImagesAside = false
    package var presentation = TwoMeePresentation()
    /// The changes of the presentation by the pairs of keys and values of a message, in the order of the configuration.
    package var presentationRules: [TwoMeePresentationRule] = []

    package init() {}

    /// Returns the presentation of a message with these pairs of keys and values.
    package func presentation(of keys: JSONObject?) -> TwoMeePresentation {
        guard let keys else { return presentation }
        return presentationRules.reduce(presentation) { presentation, rule in
            rule.condition.matches(JSONNode(keys)) ? rule.changes.applied(to: presentation) : presentation
        }
    }

    /// Returns the texts in the receiver's languages. Each text is in the first of these languages that has the text.
    /// If no language has a text, the default text is used.
    package func labels(
        in languages: [LanguageTag]
    ) -> (accept: String, dismiss: String, play: String, expiredText: String) {
        let tables = languages.compactMap { self.languages[$0.description.lowercased()] }
        func text(_ own: KeyPath<TwoMeeLabels, String?>, _ standard: String) -> String {
            tables.lazy.compactMap { $0[keyPath: own] }.first ?? standard
        }
        return (text(\.accept, accept), text(\.dismiss, dismiss), text(\.play, play), text(\.expiredText, expiredText))
    }
}
