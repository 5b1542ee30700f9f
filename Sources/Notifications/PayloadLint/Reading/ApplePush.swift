import Base
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
    private static let maxDevices = 32

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
            for device in payload["notification"]["devices"].elements.prefix(maxDevices) {
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

/// The keys that Apple documents (Apple, "Generating a remote notification", payload key reference; "Starting and
/// updating Live Activities with ActivityKit push notifications").
enum APSVocabulary {
    enum Shape {
        case text
        case number
        case object
        case textOrObject
        case texts
        /// A separate rule checks the value.
        case own
    }

    static let aps: [String: Shape] = [
        "alert": .textOrObject, "badge": .own, "sound": .textOrObject, "thread-id": .text, "category": .text,
        "content-available": .own, "mutable-content": .own, "target-content-id": .text, "interruption-level": .own,
        "relevance-score": .own, "filter-criteria": .text, "timestamp": .number, "event": .text,
        "content-state": .object, "stale-date": .number, "dismissal-date": .number, "attributes-type": .text,
        "attributes": .object, "input-push-token": .own, "input-push-channel": .text, "content-changed": .own,
        // Only pushes to Safari have this key.
        "url-args": .texts,
    ]

    static let alert: [String: Shape] = [
        "title": .text, "subtitle": .text, "body": .text, "launch-image": .text, "title-loc-key": .text,
        "title-loc-args": .own, "subtitle-loc-key": .text, "subtitle-loc-args": .own, "loc-key": .text,
        "loc-args": .own, "summary-arg": .text, "summary-arg-count": .number, "action-loc-key": .text, "action": .text,
    ]

    static let sound: [String: Shape] = ["critical": .own, "name": .text, "volume": .own]

    static let apsKeys = aps.keys.sorted()
    static let alertKeys = alert.keys.sorted()
    static let soundKeys = sound.keys.sorted()

    /// The keys whose names have a hyphen. In any object, such a name is Apple's key. Senders use other names, too.
    static let unmistakable = apsKeys.filter { $0.contains("-") }
}
