package import JSON
package import NotificationModel

/// The dialect of Leanplum. The image is in `LP_URL`, and the message's ID is in `_lpm` or a similar key.
///
/// The similar keys (`LPNotificationsConstants.h`), and `_lpx` as the action that opens the message, are from the
/// vendor's iOS SDK.
package struct LeanplumDialect: Dialect {
    package let id: DialectID = "leanplum"
    package var marks: [[String]] { [["LP_URL"], ["_lpm"]] }

    /// The keys that may have the message's ID. The app decides by the key how it handles the push in the foreground.
    private static let messageKeys = ["_lpm", "_lpu", "_lpn", "_lpv"]

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        if payload["LP_URL"]?.string != nil { return "LP_URL" }
        return payload["_lpm"]?.identifier == nil ? nil : "_lpm"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = Self.messageKeys.lazy.compactMap { payload[$0].identifier }.first
        reading.media = [MediaReference(payload["LP_URL"])].compactMap(\.self)
        let action = payload["_lpx"]
        if let link = action["URL"].text { reading.details.append("link", .string(link)) }
        if let object = action.object { reading.details.append("openAction", .object(object)) }
        return reading
    }
}
