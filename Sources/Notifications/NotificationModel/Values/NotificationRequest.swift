package import Base
package import FoundationEssentials

/// The result that is emitted if the budget ends before a media item is ready.
package enum ExpiryPolicy: String, Sendable, CaseIterable {
    /// The fallback text. This is the default if the payload has one.
    case fallbackText = "fallback-text"
    /// The success text without attachments. This is the default if the payload has no fallback text.
    case bestAttempt = "best-attempt"
    /// The payload's own alert without changes.
    case original
}

package enum NetworkKind: String, Sendable, CaseIterable {
    case wifi
    case cellular
}

/// The texts of the payload that is forwarded.
package enum ForwardedTexts: String, Sendable, CaseIterable {
    /// The provider's own texts, whether or not media are shown.
    case success
    /// The texts of the processed content, after a fallback or an expiry.
    case asShown = "as-shown"
}

/// The recipient's permissions: the three permissions of 2mee, and those that an app requests from its user on an Apple
/// platform (`UNAuthorizationOptions`).
package struct Permissions: Sendable, Equatable {
    package var service = true
    package var download = true
    package var wifiOnly = false
    /// The network that is assumed if the request names none.
    package var unknownNetwork = NetworkKind.cellular
    package var alert = true
    package var badge = true
    package var sound = true
    /// Whether the system delivers notifications quietly until the user decides.
    package var provisional = false

    package init() {}
}

/// A submitted payload with its recipient, its time budget and the provider's own JSON.
package struct NotificationRequest: Sendable {
    package var id: RequestID
    /// Whether the caller chose the id and may repeat the request. Otherwise the id is new.
    package var isKeyed = false
    package var appGroup: AppGroupName
    package var profile: MediaProfile
    package var budget: TimeBudget
    package var receivedAt: Date
    /// The dialect of the payload; `nil` if it is detected.
    package var dialect: DialectID?
    package var onExpiry: ExpiryPolicy?
    /// The permissions in force, by all layers.
    package var permissions = Permissions()
    /// The settings of the layers. `apply` makes the permissions from them.
    package var layers = PermissionLayers()
    /// The look-up of the recipient; `nil` if the request names no recipient, or if none can be stored.
    package var recipientLookup: RecipientLookup?
    package var network: NetworkKind?
    /// The recipient's language, as a tag like `de-AT` (BCP 47).
    package var locale: String?
    /// The URL to which the result is sent; `nil` if the request names none.
    package var callback: String?
    /// Whether the emission is passed on to the provider as the receipt `delivered`.
    package var reportsDelivery = false
    /// The keys of the envelope that were read but have no effect.
    package var keysWithoutEffect: [String] = []
    /// The provider's or the app's own name for the recipient. Results and events repeat it.
    package var recipient: String?
    /// The caller's own labels of the request, by which lists are filtered. Results and events repeat them.
    package var labels: [String] = []
    /// The priority of APNs, 10, 5 or 1. Media of a higher priority get connections and workers first.
    package var priority = 10
    /// Whether the media are prepared for later notifications, and nothing is shown now.
    package var isWarming = false
    /// The headers of APNs with which the payload is forwarded.
    package var headers = JSONObject()
    /// The fallback text of the envelope, which takes precedence over that of the payload.
    package var fallback: NotificationText?
    package var payload: JSONObject
    /// Whether the payload came in an envelope.
    package var isInEnvelope = false
    /// The names of the call that submitted the request.
    package var trace = CallTrace()
    /// The reason for which no media item is processed; `nil` if the payload decides.
    package var mediaRefusal: MediaFailure?

    /// The latest date at which the result is emitted.
    package var deadline: Date { receivedAt.addingTimeInterval(budget.length.seconds) }

    package init(
        id: RequestID, appGroup: AppGroupName = .default, profile: MediaProfile = .ios, budget: TimeBudget,
        receivedAt: Date, payload: JSONObject
    ) {
        self.id = id
        self.appGroup = appGroup
        self.profile = profile
        self.budget = budget
        self.receivedAt = receivedAt
        self.payload = payload
    }
}

extension NotificationRequest {
    /// Applies the layers of settings.
    package mutating func apply(_ layers: PermissionLayers) {
        self.layers = layers
        permissions = layers.permissions
        locale = layers.locale
    }

    /// Lays the settings of a recipient under those of the envelope, in place of those of an earlier look-up.
    package mutating func lay(_ lookup: RecipientLookup) {
        recipientLookup = lookup
        // A look-up that failed does not lift an opt-out that is known.
        guard lookup.isReadable else { return }
        let settings = lookup.stored?.settings ?? PermissionSettings()
        // Most requests have no stored recipient, and keep the permissions that they have.
        guard layers.recipient != settings else { return }
        layers.recipient = settings
        apply(layers)
    }

    /// Returns the rank that orders its media for connections and workers (`MediaRank`).
    package func rank(isSilent: Bool) -> Int {
        isWarming ? MediaRank.warming : MediaRank.rank(priority: priority, isSilent: isSilent)
    }
}

/// The key of a request: its id is unique in its app group.
package struct RequestKey: Sendable, Hashable {
    package var group: AppGroupName
    package var id: RequestID

    package init(group: AppGroupName, id: RequestID) {
        self.group = group
        self.id = id
    }
}

/// The identifier of a request, which is unique in its app group. It has 1…128 bytes and is a safe file name.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Parses letters, digits, `.`, `_`, `-`, `:`, `@`, `+` and `=`; `nil` if the text has another character, or a dot
    /// at the start.
    package init?(_ text: String) {
        guard (1...128).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."),
            text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || ".-_:@+=".utf8.contains($0) })
        else { return nil }
        description = text
    }

    /// Returns a new UUID of version 7 (RFC 9562 §5.7). Such UUIDs sort by the millisecond of their creation.
    package static func new(millisecondsSince1970: UInt64) -> RequestID {
        let high = millisecondsSince1970 << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
        let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF)
        return RequestID(unchecked: UUIDText.text(high: high, low: low))
    }

    private init(unchecked text: String) { description = text }
}
