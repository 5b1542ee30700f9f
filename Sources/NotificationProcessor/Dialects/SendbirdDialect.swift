import Base
import NotificationModel

/// The dialect of Sendbird. The chat message is in `sendbird`, beside `aps` or in the data of a message to FCM.
///
/// Members are those of the vendor's guides, "Push notifications". In the data of a message to FCM, `message` is the
/// text of the push.
struct SendbirdDialect: MarkedDialect {
    let id: DialectID = "sendbird"
    var marks: [[String]] { [["sendbird"]] }

    /// The paths of media that the provider's own keys do not name.
    var mediaKeys = MediaKeys.common

    static func mark(of data: JSONNode) -> String? {
        data["sendbird"].unpacked.object == nil ? nil : "sendbird"
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let message = data["sendbird"].unpacked
        let (channel, sender) = (message["channel"], message["sender"])
        if reading.lacksText {
            let title = [message["push_title"], channel["name"], sender["name"]].first { $0.text != nil }
            let body = [data["message"], data["push_alert"], message["message"]].first { $0.text != nil }
            reading.say(title: title, body: body)
        }
        reading.providerID = message["message_id"].identifier
        let files = message["files"].elements + [message["file"]]
        let icon = MediaReference(webURL: sender["profile_url"], role: .icon)
        reading.put(files.compactMap(Self.file) + [icon].compactMap(\.self), beside: data, mediaKeys)
        reading.aps.threadIdentifier = channel["channel_url"].text ?? reading.aps.threadIdentifier
        if reading.aps.badge == nil { reading.aps.badge = message["unread_message_count"].looseInteger }
        if reading.aps.sound == nil {
            reading.aps.sound = message["push_sound"].text.map { NotificationSound(name: $0) }
        }
        reading.details.append("channelUrl", text: channel["channel_url"].text)
        reading.details.append("senderId", text: sender["id"].text)
        reading.details.append("type", text: message["type"].text)
    }

    /// Returns the media item of a file; `nil` for a file that is not an image, a video or a sound.
    private static func file(_ file: JSONNode) -> MediaReference? {
        guard var item = MediaReference(webURL: file["url"]) else { return nil }
        item.declaredType = file["type"].text.map { .mimeType($0) }
        if let type = item.declaredType, type.kind == nil { return nil }
        item.claims = [MediaClaim.type(file["type"])].compactMap(\.self)
        return item
    }
}
