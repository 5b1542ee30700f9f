package import FoundationEssentials
package import JSON

/// What to emit when the budget ends and nothing is ready.
package enum ExpiryPolicy: String, Sendable, CaseIterable {
    /// The fallback text. The default where the payload has one.
    case fallbackText = "fallback-text"
    /// The success text without attachments. The default elsewhere.
    case bestAttempt = "best-attempt"
    /// The payload's own alert, untouched.
    case original
}

package enum NetworkKind: String, Sendable, CaseIterable {
    case wifi
    case cellular
}

/// Which texts the payload to send on has.
package enum ForwardedTexts: String, Sendable, CaseIterable {
    /// The provider's own texts, whatever became of the media.
    case success
    /// The texts of the processed content, after a fallback or an expiry.
    case asShown = "as-shown"
}

/// The receiver's permissions: 2mee's three, and those that an app requests from its user on an Apple platform
/// (`UNAuthorizationOptions`).
package struct Permissions: Sendable, Equatable {
    package var service = true
    package var download = true
    package var wifiOnly = false
    /// The network that a receiver is taken to be on when nobody names one.
    package var unknownNetwork = NetworkKind.cellular
    package var alert = true
    package var badge = true
    package var sound = true
    /// The system delivers notifications quietly until the user decides.
    package var provisional = false

    package init() {}
}

/// One payload taken in: who it is for, how long it may take, and the provider's own JSON.
package struct NotificationRequest: Sendable {
    package var id: RequestID
    /// Somebody gave it its id, and may come back with it; a new one otherwise.
    package var isKeyed = false
    package var appGroup: AppGroupName
    package var profile: MediaProfile
    package var budget: TimeBudget
    package var receivedAt: Date
    /// Skips detection.
    package var dialect: DialectID?
    package var onExpiry: ExpiryPolicy?
    package var permissions = Permissions()
    package var network: NetworkKind?
    /// The receiver's language, as a tag like `de-AT` (BCP 47).
    package var locale: String?
    /// Keys of the envelope that were read and have no effect.
    package var keysWithoutEffect: [String] = []
    /// The provider's or the app's own name of the receiver, which results and events repeat.
    package var recipient: String?
    /// 10, 5 or 1: whose media have connections and workers first.
    package var priority = 10
    /// Nothing of it is shown now: its media are made ready for notifications that are to come.
    package var isWarming = false
    /// The headers of APNs with which it is sent on.
    package var headers = JSONObject()
    /// Goes before the payload's own fallback text.
    package var fallback: NotificationText?
    package var payload: JSONObject
    /// Why none of its media is worked on, whatever the payload says.
    package var mediaRefusal: MediaFailure?

    /// When it is emitted at the latest, on the calendar.
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
    /// The order in which its media have connections and workers (`MediaRank`).
    package func rank(isSilent: Bool) -> Int {
        isWarming ? MediaRank.warming : MediaRank.rank(priority: priority, isSilent: isSilent)
    }
}

/// What a request is known by: ids are unique in their group.
package struct RequestKey: Sendable, Hashable {
    package var group: AppGroupName
    package var id: RequestID

    package init(group: AppGroupName, id: RequestID) {
        self.group = group
        self.id = id
    }
}
