import JSON
import NotificationModel
import NotificationProcessor

/// An `aps` dictionary with its position in the payload. A payload can go to APNs itself, or through a gateway.
struct ApplePush: Sendable {
    enum Place: Equatable {
        /// The payload itself is sent to APNs.
        case top
        /// The dictionary is in `message.apns.payload` of a message to FCM.
        case fcm
        /// The dictionary is the template from which a Matrix gateway builds the push.
        case matrix
        /// The dictionary is in the part of a provider's API request that is sent to APNs without a change.
        case request
        /// The dictionary is in the alert of a chat message. The app itself fetches the media of the message.
        case comapi
    }

    let place: Place
    let aps: JSONNode
    /// The object that APNs receives. The value is `nil` if the payload does not contain this object in its final form.
    let payload: JSONNode?
    /// Whether a gateway adds an alert with the text of the payload to the push.
    let getsAlert: Bool

    /// The maximum number of devices of a Matrix notification whose dictionaries are checked. A payload can name more.
    private static let mostDevices = 32

    static func all(in payload: JSONNode, _ reading: PushPayload) -> [ApplePush] {
        var pushes: [ApplePush] = []
        if payload["aps"].exists {
            pushes.append(ApplePush(place: .top, aps: payload["aps"], payload: payload, getsAlert: false))
        }
        switch reading.dialect {
        case _ where reading.isFCMMessage:
            let message = FCMDialect.message(of: payload) ?? payload["message"]
            let apns = message["apns"]["payload"]
            if apns["aps"].exists {
                let notification = message["notification"]
                let hasText = notification["title"].text != nil || notification["body"].text != nil
                pushes.append(ApplePush(place: .fcm, aps: apns["aps"], payload: apns, getsAlert: hasText))
            }
        case "matrix":
            for device in payload["notification"]["devices"].elements.prefix(mostDevices) {
                let aps = device["data"]["default_payload"]["aps"]
                if aps.exists { pushes.append(ApplePush(place: .matrix, aps: aps, payload: nil, getsAlert: false)) }
            }
        case "comapi":
            let apns = payload["alert"]["platforms"]["apns"]
            let aps = apns["aps"].exists ? apns["aps"] : apns
            if aps.exists { pushes.append(ApplePush(place: .comapi, aps: aps, payload: nil, getsAlert: false)) }
        case "huawei": pushes += requests(in: [payload["message"]["apns"]["payload"]])
        case "pusher-beams": pushes += requests(in: [payload["apns"]])
        case "sns": pushes += requests(in: ["APNS", "APNS_SANDBOX"].map { payload[$0].embedded })
        default: break
        }
        return pushes
    }

    private static func requests(in parts: [JSONNode]) -> [ApplePush] {
        parts.filter { $0["aps"].exists }.map {
            ApplePush(place: .request, aps: $0["aps"], payload: $0, getsAlert: false)
        }
    }

    var isLiveActivity: Bool { ["content-state", "event", "attributes-type"].contains { aps[$0].exists } }

    var hasVisibleAlert: Bool {
        switch aps["alert"].value {
        case .string(let text): getsAlert || !text.isEmpty
        case .object(let alert): getsAlert || !alert.isEmpty
        default: getsAlert
        }
    }

    /// Whether the push is a background push: it has `content-available`, and nothing that is seen or heard.
    var isSilent: Bool {
        aps["content-available"].isSet && !hasVisibleAlert
            && ["badge", "sound"].allSatisfy { (aps[$0].value ?? .null) == .null }
    }
}
