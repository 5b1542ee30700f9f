package import NotificationModel

extension TwoMeeDialect {
    /// The settings that the vendor's SDK leaves to an app. The defaults are the values of the vendor ("Custom
    /// Settings" of its iOS guide).
    package struct Settings: Sendable, Equatable {
        package var category = "appear2meeNotificationCategory"
        package var expiredText = "Sorry, opportunity missed!"
        package var accept = "OK"
        package var dismiss = "Dismiss"
        package var play = "Play"
        /// The texts in other languages, by the tag in lower case.
        package var languages: [String: TwoMeeLabels] = [:]
        /// The name of the sound for each kind. Messages of an unknown kind have a separate sound.
        package var sounds = [
            "face": "tothepoint.aiff", "image": "slowspringboard.aiff", "animation": "slowspringboard.aiff",
            "video": "slowspringboard.aiff", "text": "slowspringboard.aiff", otherKind: "slowspringboard.aiff",
        ]
        /// Whether images are stored for the app's content extension instead of being attached.
        package var putsImagesAside = false
        package var presentation = TwoMeePresentation()

        package init() {}

        static let otherKind = "other"

        /// Returns each text in the first of the languages that has it.
        func labels(in languages: [LanguageTag]) -> (accept: String, dismiss: String, play: String, expiredText: String)
        {
            let tables = languages.compactMap { self.languages[$0.description.lowercased()] }
            func text(_ own: KeyPath<TwoMeeLabels, String?>, _ standard: String) -> String {
                tables.lazy.compactMap { $0[keyPath: own] }.first ?? standard
            }
            return (
                text(\.accept, accept), text(\.dismiss, dismiss), text(\.play, play), text(\.expiredText, expiredText)
            )
        }
    }
}
