import JSON
import NotificationModel

/// The service that takes a payload to its receivers: how much it takes.
enum PushService: Sendable, Equatable {
    case apns
    /// APNs with `apns-push-type: voip`.
    case voip
    case fcm
    case webPush

    /// - Parameter headers: of APNs, whose names are of either case.
    /// - Returns: `nil` for what is sent to none of them.
    init?(_ payload: JSONObject, isFCMMessage: Bool, dialect: DialectID?, headers: JSONObject?) {
        let isVoIP = (headers?.members ?? []).contains {
            $0.key.lowercased() == "apns-push-type" && $0.value == "voip"
        }
        if payload["aps"]?.object != nil {
            self = isVoIP ? .voip : .apns
        } else if isFCMMessage, FCMDialect.message(of: JSONNode(payload)) != nil {
            self = .fcm
        } else if dialect == "webpush" {
            self = .webPush
        } else if isVoIP {
            // It needs no alert, and so no `aps`.
            self = .voip
        } else {
            return nil
        }
    }

    /// Bytes.
    ///
    /// - APNs: 4 KB (4,096 bytes), and 5 KB (5,120 bytes) for VoIP (Apple, "Generating a remote notification").
    /// - FCM: 4,096 bytes (Firebase, "Set message type": "maximum payload for both message types").
    /// - Web push: the 4,096 octets of a body that a push service must take (RFC 8030 §7.2), without the header of 86 of
    ///   `aes128gcm` (a salt of 16, 4 and 1 for lengths, a key of 65: RFC 8188 §2.1), a delimiter of 1 and the tag of 16
    ///   (RFC 8291 §4, which says 3,993 as well).
    var limit: Int {
        switch self {
        case .apns, .fcm: 4_096
        case .voip: 5_120
        case .webPush: 4_096 - (16 + 4 + 1 + 65) - 1 - 16
        }
    }

    /// How much of the limit a payload takes: its bytes in UTF-8 without white space.
    ///
    /// Of a message to FCM it is the `message`. What FCM counts itself is not documented; people who measured it saw keys
    /// and values, with an overhead for each that is about that of JSON, and the platforms' parts each for its own. This
    /// counts rather too much.
    func byteCount(of payload: JSONObject) -> Int {
        // In the form of the Admin SDKs the payload is the message.
        let counted = self == .fcm && payload["message"]?.object != nil ? payload["message"] : nil
        return JSONWriter.bytes(of: counted ?? .object(payload)).count
    }
}
