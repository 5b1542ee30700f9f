package import JSON
package import NotificationModel

/// Home Assistant: a dictionary `attachment` with a URL that may be relative to the house's own server.
///
/// The names of types and of an action's keys are those of the vendor's iOS app (`NotificationAttachmentInfo`,
/// `MobileAppConfigPushCategory`); `url` is the companion documentation's.
package struct HomeAssistantDialect: Dialect {
    package let id: DialectID = "homeassistant"

    /// The vendor's names of types that are no file extensions.
    private static let typeNames = [
        "mpeg2": "mpg", "mpeg4": "mp4", "mpeg4audio": "m4a", "waveformaudio": "wav",
    ]

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        payload["attachment"]?.object != nil && payload["event"] == nil ? "attachment{}" : nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let attachment = payload["attachment"]
        var options = AttachmentOptions()
        options.thumbnailHidden = attachment["hide-thumbnail"].isSet
        if var medium = MediaReference(
            attachment["url"], declaredType: attachment["content-type"].text.map(Self.type), options: options)
        {
            medium.isDeferred = attachment["lazy"].isSet
            medium.claims = [Self.claim(attachment["content-type"])].compactMap(\.self)
            reading.media = [medium]
        }
        reading.actions = payload["actions"].elements.compactMap(Self.action)
        if let link = payload["url"].text { reading.details.append("link", .string(link)) }
        return reading
    }

    /// The statement about the type. The vendor's name for MP4 is not one of MP4's extensions.
    private static func claim(_ node: JSONNode) -> MediaClaim? {
        guard let name = node.text else { return nil }
        if name.contains("/") { return MediaClaim.type(node) }
        let words = RenditionType.words { type in
            if name.contains(".") { return type.uniformTypeIdentifier }
            return switch type {
            case .jpeg: "jpeg"
            case .mp4: "mpeg4"
            case .png, .gif: type.fileExtension
            }
        }
        return MediaClaim(.type(words), at: node)
    }

    /// A name of the vendor's, a MIME type, or one of Apple's type identifiers.
    private static func type(_ name: String) -> DeclaredMediaType {
        if name.contains("/") { return .mimeType(name) }
        if name.contains(".") { return .mediaClass(name) }
        let name = name.lowercased()
        return .fileExtension(typeNames[name] ?? name)
    }

    /// `action` is what the Android app calls the identifier.
    private static func action(_ action: JSONNode) -> NotificationAction? {
        guard let identifier = action["identifier"].identifier ?? action["action"].identifier,
            let title = action["title"].text
        else { return nil }
        return NotificationAction(identifier: identifier, title: title)
    }
}
