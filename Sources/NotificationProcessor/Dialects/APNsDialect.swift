import Base
import NotificationModel

/// The dialect of a plain APNs payload. The payload has `aps`, and a media URL under a custom key that is common in
/// tutorials or in the code of small senders.
struct APNsDialect: Dialect {
    let id: DialectID = "apns"
    var marks: [[String]] { [["aps"]] }
    /// The paths at which media may be. The first path with a string is used, for one media item unless it has a `[]`.
    var mediaKeys = MediaKeys.common

    var isOfAnySender: Bool { true }

    /// Returns the rule that recognises the payload, with the key of the media if only URLs are accepted there.
    func detect(_ payload: PayloadLayout) -> String? {
        guard payload["aps"]?.object != nil else { return nil }
        let found = mediaKeys.find(in: payload.root)
        return found.map { $0.needsURL ? "aps+\($0.key)" : "aps" } ?? "aps"
    }

    func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        // A Live Activity has no attachments.
        guard !payload["aps"]["content-state"].exists else { return reading }
        reading.media = mediaKeys.find(in: payload)?.media ?? []
        return reading
    }
}
