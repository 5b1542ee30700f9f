/// The custom keys for the URL of an image, a video or a sound. Senders that have no separate payload format use these
/// keys in addition to `aps`.
///
/// No document lists them all: they are the keys of tutorials and of small senders. For example, Amazon Pinpoint's
/// extension reads `data.media-url` (amplify-swift, `PinpointNotificationPayload`).
extension KeyPathText {
    /// The keys whose value is used even if it is a relative URL.
    private static let firstMediaKeys = [
        KeyPathText(keys: "media", "url"), KeyPathText(keys: "media-url"), KeyPathText(keys: "media_url"),
        KeyPathText(keys: "image-url"), KeyPathText(keys: "image_url"), KeyPathText(keys: "attachment-url"),
        KeyPathText(keys: "attachment_url"), KeyPathText(keys: "image"), KeyPathText(keys: "video"),
        KeyPathText(keys: "audio"),
    ]

    /// The keys under which senders also put other values. A value of such a key is used only if it is an absolute URL.
    private static let furtherMediaKeys =
        ["imageUrl", "imageURL", "attachmentUrl", "mediaUrl", "media", "picture", "photo"].map { KeyPathText(keys: $0) }

    /// All keys, in the order in which they are tried: first at the top, then below `data`.
    package static let commonMediaKeys = firstMediaKeys + mediaKeysOfURLs

    /// The common keys whose value is used only if it is an absolute URL.
    package static let mediaKeysOfURLs =
        furtherMediaKeys
        + (firstMediaKeys + furtherMediaKeys).map { KeyPathText(steps: [.key("data")] + $0.steps) }
}
