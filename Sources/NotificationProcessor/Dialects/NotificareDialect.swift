import Base
import NotificationModel

/// The dialect of Notificare and Actito, which have an object `attachment` with `uri` beside `aps`.
///
/// Members are those that the vendor's iOS SDK reads (`NotificareNotificationServiceExtension`, and the
/// system notification of NotificarePushKit).
struct NotificareDialect: APSDialect {
    let id: DialectID = "notificare"
    var marks: [[String]] { [["attachment"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["attachment"]?["uri"]?.string != nil { return "attachment.uri" }
        return payload["x-sender"]?.string == "notificare" ? "x-sender=notificare" : nil
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.providerID = payload["notificationId"].identifier ?? payload["id"].identifier
        let attachment = payload["attachment"]
        let type = [attachment["mimeType"], attachment["mime"]].first { $0.text != nil }
        let item = MediaReference(
            attachment["uri"], declaredType: type?.text.map { .mimeType($0) }, claims: [type.flatMap(MediaClaim.type)])
        reading.media = [item].compactMap(\.self)
        reading.details.append("type", text: payload["notificationType"].text)
    }
}
