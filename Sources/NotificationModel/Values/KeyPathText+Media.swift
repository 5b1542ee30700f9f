/// The custom keys beside `aps` that senders without a format of their own use for the URL of a picture, a video or a
/// sound.
///
/// No document has them all: they are the keys of tutorials and of small senders. Amazon Pinpoint's extension, for one,
/// reads `data.media-url` (amplify-swift, `PinpointNotificationPayload`).
extension KeyPathText {
    /// The keys whose value counts whatever string it is.
    private static let firstMediaKeys = [
        KeyPathText(keys: "media", "url"), KeyPathText(keys: "media-url"), KeyPathText(keys: "media_url"),
        KeyPathText(keys: "image-url"), KeyPathText(keys: "image_url"), KeyPathText(keys: "attachment-url"),
        KeyPathText(keys: "attachment_url"), KeyPathText(keys: "image"), KeyPathText(keys: "video"),
        KeyPathText(keys: "audio"),
    ]

    /// The keys that other things than media are called by, too, so that only a URL counts.
    private static let furtherMediaKeys =
        ["imageUrl", "imageURL", "attachmentUrl", "mediaUrl", "media", "picture", "photo"].map { KeyPathText(keys: $0) }

    /// All of the keys, in the order in which they are tried: at the top, then below `data`.
    package static let commonMediaKeys = firstMediaKeys + mediaKeysOfURLs

    /// The common keys whose value counts only if it is an absolute URL.
    package static let mediaKeysOfURLs =
        furtherMediaKeys + (firstMediaKeys + furtherMediaKeys).map { $0.below("data") }

    private func below(_ key: String) -> KeyPathText { KeyPathText(steps: [.key(key)] + steps) }
}
