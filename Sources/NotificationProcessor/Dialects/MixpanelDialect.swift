import Base
import NotificationModel

/// The dialect of Mixpanel. Its keys begin with `mp_`. These keys are beside `aps` or in Android's data, in which a
/// list and an object are strings of JSON.
///
/// Keys are those of the public SDKs: mixpanel-swift (`MixpanelNotificationServiceExtension.swift`,
/// `MixpanelPushNotifications.swift`) and mixpanel-android (`MixpanelPushNotification.java`).
struct MixpanelDialect: MarkedDialect {
    let id: DialectID = "mixpanel"
    var marks: [[String]] { [["mp_media_url"], ["mp_message"]] }

    private static let marks = ["mp_media_url", "mp_message", "mp_img", "mp_buttons", "mp_ontap"]

    static func mark(of data: JSONNode) -> String? {
        if let key = marks.first(where: data.has) { return key }
        return data["mp"].unpacked["distinct_id"].identifier == nil ? nil : "mp.distinct_id"
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        if data["aps"].object == nil {
            reading.say(in: data, title: "mp_title", subtitle: "mp_subtxt", body: "mp_message")
            if data["mp_silent"].string == "true" { reading.isSilent = true }
        }
        // A large icon may be the name of a resource in the app.
        reading.media += [
            MediaReference(data["mp_media_url"]), MediaReference(data["mp_img"]),
            MediaReference(webURL: data["mp_icnm_l"], role: .icon),
        ].compactMap(\.self)
        reading.providerID = data["mp_message_id"].identifier ?? data["mp_campaign_id"].identifier
        reading.actions = data["mp_buttons"].unpacked.actions(identifier: "id", title: "lbl") { $0["ontap"]["uri"] }
        reading.link(to: data["mp_ontap"].unpacked["uri"], data["mp_cta"])
    }
}
