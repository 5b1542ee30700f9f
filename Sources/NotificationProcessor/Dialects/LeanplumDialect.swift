import Base
import NotificationModel

/// The dialect of Leanplum. The image is in `LP_URL`, and the message's ID is in `_lpm` or a similar key.
///
/// The similar keys (`LPNotificationsConstants.h`), and `_lpx` as the action that opens the message, are from the
/// vendor's iOS SDK.
struct LeanplumDialect: APSDialect {
    let id: DialectID = "leanplum"
    var marks: [[String]] { [["LP_URL"], ["_lpm"]] }

    /// The keys that may have the message's ID. The app decides by the key how it handles the push in the foreground.
    private static let messageKeys = ["_lpm", "_lpu", "_lpn", "_lpv"]

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["LP_URL"]?.string != nil { return "LP_URL" }
        return payload["_lpm"]?.identifier == nil ? nil : "_lpm"
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.providerID = Self.messageKeys.lazy.compactMap { payload[$0].identifier }.first
        reading.media = [MediaReference(payload["LP_URL"])].compactMap(\.self)
        let action = payload["_lpx"]
        reading.link(to: action["URL"])
        if let object = action.object { reading.details.append("openAction", .object(object)) }
    }
}
