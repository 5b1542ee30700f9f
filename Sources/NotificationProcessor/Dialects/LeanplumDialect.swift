package import JSON
package import NotificationModel

/// Leanplum: the picture is `LP_URL`, the message's id is `_lpm` or one of its kin.
///
/// The kin (`LPNotificationsConstants.h`) and `_lpx` as what opening the message does are from the vendor's iOS SDK.
package struct LeanplumDialect: Dialect {
    package let id: DialectID = "leanplum"
    package var marks: [[String]] { [["LP_URL"], ["_lpm"]] }

    /// The id of the message; which of them it is under says what the app does while it is in the foreground.
    private static let messageKeys = ["_lpm", "_lpu", "_lpn", "_lpv"]

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
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
