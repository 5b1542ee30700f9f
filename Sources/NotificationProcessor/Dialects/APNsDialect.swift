package import JSON
package import NotificationModel

/// The dialect of a plain APNs payload. The payload has `aps`, and a media URL under a custom key that is common in
/// tutorials or in the code of small senders.
package struct APNsDialect: Dialect {
    package let id: DialectID = "apns"
    package var marks: [[String]] { [["aps"]] }
    private let mediaKeys: MediaKeys

    /// Creates the dialect with the paths of its media.
    ///
    /// - Parameter mediaKeys: The paths at which media may be. The first path with a string is used. This path results
    ///   in one media item, unless the path has a `[]`.
    package init(mediaKeys: [KeyPathText] = KeyPathText.commonMediaKeys) { self.mediaKeys = MediaKeys(mediaKeys) }

    package var isOfAnySender: Bool { true }

    /// Returns the rule that recognises the payload. The rule includes the key of the media if only URLs are accepted
    /// at this key.
    package func detect(_ payload: PayloadLayout) -> String? {
        guard payload["aps"]?.object != nil else { return nil }
        let found = mediaKeys.find(in: payload.root)
        return found.map { $0.needsURL ? "aps+\($0.key)" : "aps" } ?? "aps"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        // A Live Activity has no attachments.
        guard !payload["aps"]["content-state"].exists else { return reading }
        reading.media = mediaKeys.find(in: payload)?.media ?? []
        return reading
    }
}
