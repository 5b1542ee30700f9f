package import JSON
package import NotificationModel

/// The dialect of Sendbird. The chat message is in `sendbird`, beside `aps` or in the data of a message to FCM.
///
/// Members are those of the vendor's guides, "Push notifications". In the data of a message to FCM, `message` is the
/// text of the push.
package struct SendbirdDialect: MarkedDialect {
    package let id: DialectID = "sendbird"
    package var marks: [[String]] { [["sendbird"]] }

    private let mediaKeys: MediaKeys

    /// - Parameter mediaKeys: The paths of media that the provider's own keys do not name.
    package init(mediaKeys: [KeyPathText] = KeyPathText.commonMediaKeys) { self.mediaKeys = MediaKeys(mediaKeys) }

    package static func mark(of data: JSONNode) -> String? {
        data["sendbird"].unpacked.object == nil ? nil : "sendbird"
    }

    package func read(_ data: JSONNode, into reading: inout PushPayload) {
        let message = data["sendbird"].unpacked
        let (channel, sender) = (message["channel"], message["sender"])
        if reading.lacksText {
            let title = [message["push_title"], channel["name"], sender["name"]].first { $0.text != nil }
            let body = [data["message"], data["push_alert"], message["message"]].first { $0.text != nil }
            reading.say(
                NotificationText(title: title?.text, body: body?.text),
                at: .lines(title: title?.path, subtitle: nil, body: body?.path))
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
        for (name, node) in [
            ("channelUrl", channel["channel_url"]), ("senderId", sender["id"]), ("type", message["type"]),
        ] {
            if let text = node.text { reading.details.append(name, .string(text)) }
        }
    }

    /// Returns the media item of a file; `nil` for a file that is not an image, a video or a sound.
    private static func file(_ file: JSONNode) -> MediaReference? {
        guard let item = MediaReference(webURL: file["url"]) else { return nil }
        var typed = item
        if let type = file["type"].text {
            let declared = DeclaredMediaType.mimeType(type)
            guard declared.kind != nil else { return nil }
            typed.declaredType = declared
            typed.claims = [MediaClaim.type(file["type"])].compactMap(\.self)
        }
        return typed
    }
}
