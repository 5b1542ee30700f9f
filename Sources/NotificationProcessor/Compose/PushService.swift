import Base
import NotificationModel

/// The service that delivers a payload to its recipients, with the size that it accepts.
enum PushService: Sendable, Equatable {
    case apns
    /// APNs with `apns-push-type: voip`.
    case voip
    case fcm
    case webPush

    /// Creates the service for a payload; `nil` if none of these services delivers it.
    ///
    /// - Parameter headers: The headers for APNs, whose names are in upper or lower case.
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
            // A VoIP push needs no alert, and therefore no `aps`.
            self = .voip
        } else {
            return nil
        }
    }

    /// The largest payload that the service accepts, in bytes.
    ///
    /// - APNs: 4 KB (4,096 bytes), and 5 KB (5,120 bytes) for VoIP (Apple, "Generating a remote notification").
    /// - FCM: 4,096 bytes (Firebase, "Set message type": "maximum payload for both message types").
    /// - Web push: the 4,096 octets of a body that a push service must accept (RFC 8030 §7.2), less three parts. The
    ///   header of `aes128gcm` has 86 octets (a salt of 16, 4 and 1 for lengths, a key of 65; RFC 8188 §2.1). The
    ///   delimiter has 1, and the tag has 16 (RFC 8291 §4, which states 3,993 octets, too).
    var limit: Int {
        switch self {
        case .apns, .fcm: 4_096
        case .voip: 5_120
        case .webPush: 4_096 - (16 + 4 + 1 + 65) - 1 - 16
        }
    }

    /// Returns the number of bytes of a payload that count towards the limit, in UTF-8 without white space.
    ///
    /// For a message to FCM, the result is the size of `message` as JSON. FCM does not document how it computes the
    /// size. Measurements by users show that keys and values are included, each with about the overhead of JSON. The
    /// limit applies to each platform's part separately. The result is therefore an upper estimate.
    func byteCount(of payload: JSONObject) -> Int {
        // In the form of the Admin SDKs the payload itself is the message.
        let counted = self == .fcm && payload["message"]?.object != nil ? payload["message"] : nil
        return JSONWriter.bytes(of: counted ?? .object(payload)).count
    }
}
