package import Base

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

    /// Returns the texts in the recipient's languages. Each text is in the first of these languages that has the text.
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

/// The way in which an app shows a 2mee message. The defaults are the values of the vendor's SDK ("Custom Settings" of
/// its iOS guide).
package struct TwoMeePresentation: Sendable, Equatable {
    /// The place of a head without shoulders.
    package enum HeadPosition: String, Sendable, CaseIterable {
        case topLeft = "top-left"
        case topRight = "top-right"
        case bottomLeft = "bottom-left"
        case bottomRight = "bottom-right"
        case center
    }

    /// The place of a head with shoulders: a lower corner, because such a head has a lower edge, or the center.
    package enum ShouldersPosition: String, Sendable, CaseIterable { case left, right, center }

    /// The time from the end of a face to its dismissal; `nil` if the face is not dismissed.
    package var dismissTime: Duration? = .seconds(5)
    package var headPosition = HeadPosition.topRight
    package var shouldersPosition = ShouldersPosition.right
    /// The background color of a face in the center, as `#rrggbbaa`.
    package var centerBackgroundColor = "#ffffffff"
    /// The color between the app and a message, as `#rrggbbaa`.
    package var backgroundColor = "#00000099"
    /// The color between the app and a face, as `#rrggbbaa`.
    package var faceBackgroundColor = "#00000033"
    /// The background image of a message in the content extension, by its name in the extension's bundle.
    package var backgroundImage = "media.jpg"
    /// The background image of a face in the content extension, by its name in the extension's bundle.
    package var faceBackgroundImage = "face.png"

    package init() {}

    /// Returns a color with its alpha, in lower case; `nil` if the text is not a color.
    package static func color(_ text: String) -> String? {
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst().lowercased()
        guard [6, 8].contains(digits.utf8.count), Hexadecimal.isLowercase(digits) else { return nil }
        return "#" + digits + (digits.utf8.count == 6 ? "ff" : "")
    }
}

/// An app's texts for 2mee messages in one language. A missing text is taken from the next language.
package struct TwoMeeLabels: Sendable, Equatable {
    package var accept: String?
    package var dismiss: String?
    package var play: String?
    package var expiredText: String?

    package init() {}
}

/// A rule that changes the presentation of 2mee messages by a pair of a key and a value in the message ("Customise
/// Experience" of the vendor's guide, whose example is the value `dark` of the key `presentation`).
package struct TwoMeePresentationRule: Sendable, Equatable {
    /// The rule as the operator wrote it: a value of the key `presentation`, or `KEY == VALUE`.
    package let name: String
    let condition: PayloadDiscriminator
    package var changes: Changes

    package init(_ name: String, _ changes: Changes) throws(KeyPathError) {
        self.name = name
        self.changes = changes
        condition =
            try name.contains("=")
            ? PayloadDiscriminator(name) : PayloadDiscriminator(KeyPathText(keys: "presentation"), equals: name)
    }

    /// The values that replace those of a presentation; `nil` for values that stay.
    package struct Changes: Sendable, Equatable {
        /// The time; `.some(nil)` if the face is not dismissed.
        package var dismissTime: Duration??
        package var headPosition: TwoMeePresentation.HeadPosition?
        package var shouldersPosition: TwoMeePresentation.ShouldersPosition?
        package var centerBackgroundColor: String?
        package var backgroundColor: String?
        package var faceBackgroundColor: String?
        package var backgroundImage: String?
        package var faceBackgroundImage: String?

        package init() {}

        func applied(to presentation: TwoMeePresentation) -> TwoMeePresentation {
            var changed = presentation
            if let dismissTime { changed.dismissTime = dismissTime }
            changed.headPosition = headPosition ?? changed.headPosition
            changed.shouldersPosition = shouldersPosition ?? changed.shouldersPosition
            changed.centerBackgroundColor = centerBackgroundColor ?? changed.centerBackgroundColor
            changed.backgroundColor = backgroundColor ?? changed.backgroundColor
            changed.faceBackgroundColor = faceBackgroundColor ?? changed.faceBackgroundColor
            changed.backgroundImage = backgroundImage ?? changed.backgroundImage
            changed.faceBackgroundImage = faceBackgroundImage ?? changed.faceBackgroundImage
            return changed
        }
    }
}
