package import FoundationEssentials
package import JSON

/// Whose payload format it is: `apns`, `2mee`, …
package struct DialectID: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String

    package init(_ name: String) { description = name }
    package init(stringLiteral value: String) { description = value }
}

/// What a dialect found in a payload, in neutral terms.
package struct PushPayload: Sendable, Equatable {
    package var dialect: DialectID?
    /// The rule of detection that fired, or `requested`.
    package var detectedBy: String?
    package var providerID: String?
    /// The lines of Apple's alert, whatever else the provider says.
    package var alert = NotificationText()
    /// Shown when attachments are.
    package var successText = NotificationText()
    /// Lines that a platform has of its own, where one payload speaks to several.
    package var platformTexts: [PushPlatform: NotificationText] = [:]
    /// The badge and the sound that a platform has of its own.
    package var platformSignals: [PushPlatform: PlatformSignals] = [:]
    /// Shown when none is. `nil`: the payload has none.
    package var fallbackText: NotificationText?
    /// Lines of the alert that the receiver looks up in its own language.
    package var localization = AlertLocalization()
    /// The places of the texts. A payload that has none of them gets the first that it has room for.
    package var textPlaces = [TextPlace.apple]
    package var media: [MediaReference] = []
    /// Most bytes of a picture, where the provider's service passes on less than the platform shows.
    package var pictureBytes: [PushPlatform: Int] = [:]
    package var actions: [NotificationAction] = []
    package var aps = APSFields()
    /// Nothing is shown for it: `content-available` without an alert.
    package var isSilent = false
    /// When the message itself is no longer worth showing.
    package var expiresAt: Date?
    /// When APNs delivers the message no longer. It counts for Apple's platforms, if the message has no time of its own.
    package var appleExpiresAt: Date?
    /// The payload is a message that a server sends to FCM, also with another provider's payload in it.
    package var isFCMMessage = false
    /// What is shown after `expiresAt`.
    package var expiryText: NotificationText?
    /// Another push with the same `providerID` brings, or has brought, the same files.
    package var sharesFiles = false
    /// Until when files that were fetched ahead are kept.
    package var holdsFilesUntil: Date?
    /// The receiver's, as a language tag.
    package var language: String?
    /// What else the provider's own code needs, under names of ours: `kind`, `keys`, `conversationId`, …
    package var details = JSONObject()
    /// `details.labels` has the titles of the actions that are emitted.
    package var labelsActions = false
    /// Pictures are stored for the app's own view, and the system is not to attach them.
    package var putsImagesAside = false
    /// The payload needs a media item that it does not name: it is a fallback.
    package var lacksRequiredMedia = false
    /// Mistakes of the sender, in the order of the payload.
    package var problems: [PayloadProblem] = []
    /// Details that a platform has where the payload says nothing.
    package var platformDetails: [PushPlatform: JSONObject] = [:]

    /// Media that the payload refers to besides those that are told of.
    package private(set) var leftOutMedia = 0

    /// Media that are told of. More than a few dozen are nobody's notification.
    package static let mostMedia = 256

    package init() {}

    /// Nothing of the payload says what a notification is about, though one is to be shown.
    package var lacksText: Bool {
        !isSilent && successText.isBlank && localization.isEmpty && platformTexts.values.allSatisfy(\.isBlank)
    }

    package mutating func leaveOut(behind count: Int) {
        guard media.count > count else { return }
        leftOutMedia += media.count - count
        let required = media[count...].first(where: \.isRequired)
        media = Array(media.prefix(count))
        // The file that is the message is never left out.
        if let required, count > 0 { media[count - 1] = required }
    }
}

/// Apple's `…loc-key` and `…loc-args`: texts by name, from the receiver's string tables.
package struct AlertLocalization: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package var key: String
        package var arguments: [String]

        package init(key: String, arguments: [String]) {
            self.key = key
            self.arguments = arguments
        }
    }

    /// Of the alert's dictionary in the payload.
    package var place = JSONPath.root
    package var title: Line?
    package var subtitle: Line?
    package var body: Line?

    package var isEmpty: Bool { title == nil && subtitle == nil && body == nil }

    package init() {}
}

/// The badge and the sound of a notification on one platform, in place of those for all; `nil`: it has none there.
package struct PlatformSignals: Sendable, Equatable {
    package var badge: Int?
    package var sound: NotificationSound?

    package init(badge: Int? = nil, sound: NotificationSound? = nil) {
        self.badge = badge
        self.sound = sound
    }
}

package struct NotificationAction: Sendable, Equatable {
    package var identifier: String
    package var title: String

    package init(identifier: String, title: String) {
        self.identifier = identifier
        self.title = title
    }
}

package struct NotificationSound: Sendable, Equatable {
    package var name: String
    package var critical = false
    /// 0…1.
    package var volume = 1.0

    package init(name: String) { self.name = name }
}

package enum InterruptionLevel: String, Sendable, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical
}

/// What `aps` says beside the text (Apple, "Generating a remote notification", payload key reference).
package struct APSFields: Sendable, Equatable {
    package var badge: Int?
    package var sound: NotificationSound?
    package var category: String?
    package var threadIdentifier: String?
    package var targetContentIdentifier: String?
    package var interruptionLevel = InterruptionLevel.active
    /// 0…1.
    package var relevanceScore = 0.0
    package var filterCriteria: String?
    package var launchImageName: String?
    package var mutableContent = false
    package var contentAvailable = false
    package var hasVisibleAlert = false

    package init() {}
}
