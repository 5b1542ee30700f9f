import JSON
import NotificationModel
import NotificationProcessor

/// An `aps` dictionary, and whose it is: a payload may speak to Apple's phones from the top, or through a gateway.
struct ApplePush: Sendable {
    enum Place: Equatable {
        /// The payload is what APNs gets.
        case top
        /// FCM's `message.apns.payload`.
        case fcm
        /// What a Matrix gateway builds the push from.
        case matrix
        /// Apple's part of a request to a provider's API, which APNs gets as it is.
        case request
        /// The alert of a chat message, whose media the app fetches itself.
        case comapi
    }

    let place: Place
    let aps: JSONNode
    /// What APNs gets, where it is in the payload as it is.
    let payload: JSONNode?
    /// The gateway makes an alert of the payload's text.
    let getsAlert: Bool

    /// A payload names any number of devices; more than this are one sender's list.
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

    /// A background push: `content-available`, and nothing to be seen or heard.
    var isSilent: Bool {
        aps["content-available"].isSet && !hasVisibleAlert
            && ["badge", "sound"].allSatisfy { (aps[$0].value ?? .null) == .null }
    }
}
