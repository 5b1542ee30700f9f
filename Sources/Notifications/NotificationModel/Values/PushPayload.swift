package import Base
package import FoundationEssentials

/// The identifier of a payload format: `apns`, `2mee`, …
package struct DialectID: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String

    package init(_ name: String) { description = name }
    package init(stringLiteral value: String) { description = value }
}

/// The content of a payload in neutral terms, as its dialect reads it.
package struct PushPayload: Sendable, Equatable {
    package var dialect: DialectID?
    /// The rule of detection that matched, or `requested`.
    package var detectedBy: String?
    package var providerID: String?
    /// The lines of Apple's alert, independent of the provider's other texts.
    package var alert = NotificationText()
    /// The text of a notification with attachments.
    package var successText = NotificationText()
    /// The separate text for each platform, if one payload is for several platforms.
    package var platformTexts: [PushPlatform: NotificationText] = [:]
    /// The separate badge and sound for each platform, if one payload is for several platforms.
    package var platformSignals: [PushPlatform: PlatformSignals] = [:]
    /// The text of a notification without attachments; `nil` if the payload has none.
    package var fallbackText: NotificationText?
    /// The lines of the alert that the recipient looks up in its own language.
    package var localization = AlertLocalization()
    /// The places of the texts. If a payload has no text at any of them, the text is added at the first possible place.
    package var textPlaces = [TextPlace.apple]
    package var media: [MediaReference] = []
    /// The maximum size of an image in bytes, if the provider's service forwards less than the platform shows.
    package var imageBytes: [PushPlatform: Int] = [:]
    package var actions: [NotificationAction] = []
    package var aps = APSFields()
    /// Whether the push shows nothing: it has `content-available` and no alert.
    package var isSilent = false
    /// Whether a silent push changes the badge of the app, as new numbers of unread messages do.
    package var changesBadgeAlone = false
    /// The time after which the message is no longer shown.
    package var expiresAt: Date?
    /// The time after which APNs no longer delivers the message. It applies to Apple's platforms without `expiresAt`.
    package var appleExpiresAt: Date?
    /// Whether the payload is a message from a server to FCM. Such a message may contain another provider's payload.
    package var isFCMMessage = false
    /// The text that is shown after `expiresAt`.
    package var expiryText: NotificationText?
    /// Whether another push with the same `providerID` has the same files.
    package var sharesFiles = false
    /// The date until which prefetched files are kept.
    package var holdsFilesUntil: Date?
    /// The recipient's language, as a language tag.
    package var language: String?
    /// The details that the provider's own code needs, under this program's names: `kind`, `keys`, `conversationId`, …
    package var details = JSONObject()
    /// The sender of the message, under names that the provider also uses for recipients.
    package var senders: [String] = []
    /// The receipt that the payload reports about an earlier message; `nil` if it reports none.
    package var receipt: ReportedReceipt?
    /// Whether the payload itself says that its recipient caused the message.
    package var isOfRecipient = false
    /// Whether `details.labels` has the titles of the emitted actions.
    package var labelsActions = false
    /// Whether images are stored for the app's own view, so that the system must not attach them.
    package var putsImagesAside = false
    /// Whether the payload needs a media item that it does not name. Its notification is a fallback.
    package var lacksRequiredMedia = false
    /// The mistakes of the sender, in the order of the payload.
    package var problems: [PayloadProblem] = []
    /// The details for each platform, which are used if the payload itself has no details.
    package var platformDetails: [PushPlatform: JSONObject] = [:]

    /// The number of media items that the payload refers to and that `media` does not contain.
    package private(set) var leftOutMedia = 0

    /// The maximum number of media items that are read. A real notification has at most a few dozen.
    package static let maxMedia = 256

    package init() {}

    /// Whether the payload has no text, although a notification is shown.
    package var lacksText: Bool { !isSilent && hasNoText }

    /// Whether the payload has no text for any platform.
    package var hasNoText: Bool {
        successText.isBlank && localization.isEmpty && platformTexts.values.allSatisfy(\.isBlank)
    }

    package mutating func leaveOut(behind count: Int) {
        guard media.count > count else { return }
        leftOutMedia += media.count - count
        let required = media[count...].first(where: \.isRequired)
        media = Array(media.prefix(count))
        // The media item that is the message is never left out.
        if let required, count > 0 { media[count - 1] = required }
    }
}

/// Apple's `…loc-key` and `…loc-args`: the names of texts in the recipient's string tables.
package struct AlertLocalization: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package var key: String
        package var arguments: [String]

        package init(key: String, arguments: [String]) {
            self.key = key
            self.arguments = arguments
        }
    }

    /// The path of the alert's dictionary in the payload.
    package var place = JSONPath.root
    package var title: Line?
    package var subtitle: Line?
    package var body: Line?

    package var isEmpty: Bool { title == nil && subtitle == nil && body == nil }

    package init() {}
}

/// The badge and the sound of a notification on one platform; `nil` if the platform has none.
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
    /// The link that the button opens; `nil` if the app itself decides what the button does.
    package var link: String?

    package init(identifier: String, title: String, link: String? = nil) {
        self.identifier = identifier
        self.title = title
        self.link = link
    }
}

package struct NotificationSound: Sendable, Equatable {
    package var name: String
    package var critical = false
    /// The volume, 0…1.
    package var volume = 1.0

    package init(name: String) { self.name = name }
}

package enum InterruptionLevel: String, Sendable, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical
}

/// The fields of `aps` except the text (Apple, "Generating a remote notification", payload key reference).
package struct APSFields: Sendable, Equatable {
    package var badge: Int?
    package var sound: NotificationSound?
    package var category: String?
    package var threadIdentifier: String?
    package var targetContentIdentifier: String?
    package var interruptionLevel = InterruptionLevel.active
    /// The relevance score, 0…1.
    package var relevanceScore = 0.0
    package var filterCriteria: String?
    package var launchImageName: String?
    package var mutableContent = false
    package var contentAvailable = false
    package var hasVisibleAlert = false

    package init() {}
}
