package import FoundationEssentials
package import JSON
package import NotificationModel

/// One item of a batch: a media URL or a payload, and for whom its media are made ready.
///
/// An object, because thousands of items wait at a time in queues whose elements would else be large.
package final class WarmItem: Sendable {
    package enum Request: Sendable, Equatable {
        case url(String)
        /// A payload of any dialect, or an envelope.
        case payload(JSONObject)
    }

    package let request: Request
    /// Renditions are made for each of them.
    package let profiles: [MediaProfile]
    package let appGroup: AppGroupName
    /// The date until which the renditions are kept; `nil`: as long as others.
    package let keepUntil: Date?
    /// The source and the line of the item, as `urls.txt:12`.
    package let place: String
    /// The host of the first media item, with its port; empty if there is none.
    package let host: String
    package let key: WarmKey

    /// - Parameter keep: The time to keep it as the item itself writes it; a part of the key.
    package init(
        _ request: Request, profiles: [MediaProfile], appGroup: AppGroupName, keepUntil: Date? = nil, keep: String = "",
        place: String, host: String
    ) {
        self.request = request
        self.profiles = profiles
        self.appGroup = appGroup
        self.keepUntil = keepUntil
        self.place = place
        self.host = host
        let asked =
            switch request {
            case .url(let url): ["url", url]
            case .payload(let payload): ["payload", JSONWriter.text(of: .object(payload))]
            }
        key = WarmKey(asked + [appGroup.description, keep] + profiles.map(\.name))
    }

    /// The item as reports name it: its URL without credentials and query, or the place of its payload.
    package var name: String {
        switch request {
        case .url(let url): MediaHost.shown(url)
        case .payload: place
        }
    }
}

/// Something in a source that is no item.
package struct WarmProblem: Error, Sendable, Equatable {
    /// As `WarmItem.place`.
    package var place: String
    /// A phrase that follows the place.
    package var text: String

    package init(place: String, text: String) {
        self.place = place
        self.text = text
    }
}
