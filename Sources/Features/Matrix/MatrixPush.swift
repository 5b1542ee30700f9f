import Base
import Digests
import HTTPAPI
import NotificationModel

/// A push of a homeserver: an envelope for each of its devices.
///
/// The members are those of the Matrix specification, "Push Gateway API". A member with an unusual value makes no device
/// unusable, if a notification can be made without it.
struct MatrixPush {
    /// The reason for which a device gets no request, for the log.
    enum Unusable: String, Error, Sendable {
        case noNotification = "the body has no notification"
        case noDevices = "the notification has no devices"
        case tooManyDevices = "the notification has too many devices, for a push or for its size"
        case noObject = "the device is not an object"
        case noAppID = "the device has no app_id of at most 255 bytes"
        case noPushKey = "the device has no pushkey of at most 4,096 bytes"
    }

    /// A device, with the envelope of its request.
    struct Device: Sendable {
        let pushKey: String
        let group: AppGroupName
        let envelope: JSONObject
    }

    private static let maxAppID = 255
    private static let maxPushKey = 4_096
    /// The longest push key that is also the recipient of a request, in bytes.
    private static let maxRecipient = 256
    /// The maximum size of all requests of a push together, in bytes. Each request contains the whole notification.
    private static let maxBytes = 1 << 20

    /// The devices in their order.
    let devices: [Result<Device, Unusable>]

    init(_ body: JSONObject, apps: MatrixApps) {
        guard let notification = body["notification"]?.object else {
            devices = [.failure(.noNotification)]
            return
        }
        guard let listed = notification["devices"]?.array, !listed.isEmpty else {
            devices = [.failure(.noDevices)]
            return
        }
        let shared = JSONObject(members: notification.members.filter { $0.key != "devices" })
        let byteCount = JSONWriter.bytes(of: .object(shared)).count
        let most = max(1, min(MatrixGateway.maxDevices, Self.maxBytes / byteCount))
        let taken = listed.prefix(most).map { device in
            Result { () throws(Unusable) in try Self.device(device, of: shared, apps) }
        }
        devices = taken + (listed.count > taken.count ? [.failure(.tooManyDevices)] : [])
    }

    /// - Parameter notification: The notification without its devices.
    private static func device(
        _ value: JSONValue, of notification: JSONObject, _ apps: MatrixApps
    ) throws(Unusable) -> Device {
        guard value.object != nil else { throw .noObject }
        guard let appID = (value["app_id"] ?? value["appId"])?.string, (1...maxAppID).contains(appID.utf8.count) else {
            throw .noAppID
        }
        guard let pushKey = value["pushkey"]?.string, (1...maxPushKey).contains(pushKey.utf8.count) else {
            throw .noPushKey
        }
        let target = apps.target(of: appID)
        var envelope = JSONObject()
        if let id = id(of: notification, value, appID, pushKey) { envelope.append("id", .string(id)) }
        envelope.append("appGroup", .string(target.group.description))
        envelope.append("dialect", "matrix")
        if let profile = target.profile { envelope.append("profile", .string(profile)) }
        if let language = language(of: value) { envelope.append("locale", .string(language.description)) }
        if isRecipient(pushKey) { envelope.append("recipient", .string(pushKey)) }
        envelope.append("priority", notification["prio"] == "low" ? 5 : 10)
        var ofDevice = notification
        ofDevice.append("devices", [value])
        envelope.append("payload", ["notification": .object(ofDevice)])
        return Device(pushKey: pushKey, group: target.group, envelope: envelope)
    }

    /// Returns the id of a device's request, which is the same each time that a homeserver repeats the push. Returns `nil`
    /// for a push without an event: the same numbers may be news again, and homeservers do not repeat such a push.
    ///
    /// The numbers of unread messages may change between two attempts, so the rest of the push is no part of the id. Two
    /// accounts of one app have the same push key, and differ in the identifier of the client.
    private static func id(
        of notification: JSONObject, _ device: JSONValue, _ appID: String, _ pushKey: String
    ) -> String? {
        guard let event = notification["event_id"]?.identifier else { return nil }
        let payload = device["data"]?["default_payload"]
        let account = payload?["pusher_notification_client_identifier"]?.identifier ?? ""
        let parts: [JSONValue] = [.string(event), .string(appID), .string(pushKey), .string(account)]
        let text = JSONWriter.bytes(of: .array(parts))
        var hash = SHA256()
        hash.update(text.span)
        return "matrix-" + Hexadecimal.text(of: hash.finalize())
    }

    private static func language(of device: JSONValue) -> LanguageTag? {
        let texts = [device["lang"]?.string, device["data"]?["lang"]?.string]
        return texts.compactMap(\.self).lazy.compactMap { LanguageTag($0) }.first
    }

    /// Returns whether a push key can be the name of a recipient. Tokens of push services and URLs can.
    private static func isRecipient(_ pushKey: String) -> Bool {
        pushKey.utf8.count <= maxRecipient && pushKey.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
