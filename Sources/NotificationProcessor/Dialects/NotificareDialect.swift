package import JSON
package import NotificationModel

/// The dialect of Notificare and Actito, which have an object `attachment` with `uri` beside `aps`.
///
/// Members are those that the vendor's iOS SDK reads (`NotificareNotificationServiceExtension`, and the
/// system notification of NotificarePushKit).
package struct NotificareDialect: Dialect {
    package let id: DialectID = "notificare"
    package var marks: [[String]] { [["attachment"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        if payload["attachment"]?["uri"]?.string != nil { return "attachment.uri" }
        return payload["x-sender"]?.string == "notificare" ? "x-sender=notificare" : nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = payload["notificationId"].identifier ?? payload["id"].identifier
        let attachment = payload["attachment"]
        let type = [attachment["mimeType"], attachment["mime"]].first { $0.text != nil }
        var item = MediaReference(attachment["uri"], declaredType: type?.text.map { .mimeType($0) })
        item?.claims = [type.flatMap { MediaClaim.type($0) }].compactMap(\.self)
        reading.media = [item].compactMap(\.self)
        if let kind = payload["notificationType"].text { reading.details.append("type", .string(kind)) }
        return reading
    }
}
