package import Base
package import FoundationEssentials

/// The purpose of a media item in the notification, as the payload declares it.
package enum MediaRole: String, Sendable, CaseIterable {
    case attachment
    case thumbnail
    case icon
    case badge
    case actionIcon = "action-icon"
    /// The image that separates the person in a video from the background.
    case mask
}

/// Apple's options for an attachment (`UNNotificationAttachmentOptions…Key`).
package struct AttachmentOptions: Sendable, Hashable {
    package var thumbnailHidden = false
    /// The part of the image that the thumbnail shows, in unit coordinates, each 0…1.
    package var thumbnailClippingRect: Rectangle<Double>?
    /// The time of the thumbnail in a video, in seconds.
    package var thumbnailTime: Double?

    package init() {}
}

/// The platform that a payload names for a media item, if one payload is for several platforms.
package enum PushPlatform: String, Sendable, CaseIterable {
    /// Each platform that has no separate media item.
    case any
    case apns
    case android
    case webpush
}

/// The type that a payload declares for a media item. The bytes decide the type, and a difference is only reported.
package enum DeclaredMediaType: Sendable, Equatable, CustomStringConvertible {
    /// A MIME type, such as `image/jpeg`.
    case mimeType(String)
    /// A file extension without a dot, such as `jpg`.
    case fileExtension(String)
    /// A vendor's word for a kind: `image`, `video`, `audio`, `gif`.
    case mediaClass(String)

    package var description: String {
        switch self {
        case .mimeType(let type): "mime:\(type)"
        case .fileExtension(let name): "ext:\(name)"
        case .mediaClass(let name): "class:\(name)"
        }
    }

    /// The kind of the declared type; `nil` if the type is unknown.
    package var kind: MediaKind? {
        switch self {
        case .mimeType(let type):
            if let format = MediaFormat.named(mimeType: type) { return format.kind }
            return MediaKind(topLevelType: type.split(separator: "/").first.map(String.init) ?? "")
        case .fileExtension(let name): return MediaFormat.named(extension: name)?.kind
        case .mediaClass(let name): return MediaFormat.named(extension: name)?.kind ?? MediaKind(topLevelType: name)
        }
    }

    /// Returns whether a file of this type has the declared type; `nil` if the declared type is unknown.
    package func agrees(withMIMEType type: String) -> Bool? {
        switch self {
        case .mimeType(let declared):
            return (MediaFormat.named(mimeType: declared)?.mimeType ?? MediaFormat.bareMIMEType(declared)) == type
        case .fileExtension(let name): return MediaFormat.named(extension: name).map { $0.mimeType == type }
        case .mediaClass(let name):
            if let exact = MediaFormat.named(extension: name) { return exact.mimeType == type }
            return MediaKind(topLevelType: name).map { type.hasPrefix($0.topLevelType + "/") }
        }
    }
}

/// A reference of a payload to one media item, in the payload's own words.
package struct MediaReference: Sendable, Equatable {
    package enum Use: Sendable, Equatable {
        case always
        /// The item replaces the other items after the message has expired.
        case afterExpiry
    }

    /// The URL as the payload has it. The URL may be relative, malformed or hostile.
    package var url: String
    /// The path of the URL in the payload; `nil` if the URL is not a string of the payload.
    package var path: JSONPath?
    /// The payload's identifier of the item; `nil` if it has none.
    package var identifier: String?
    package var role: MediaRole
    /// The platform of the item; `nil` if the payload is for one platform only.
    package var platform: PushPlatform?
    package var declaredType: DeclaredMediaType?
    package var options: AttachmentOptions
    package var use = Use.always
    /// Whether the item is the message itself. Without it, the notification is a fallback, even with other media.
    package var isRequired = false
    /// Whether the required message is a video. An image instead of the video is either a mask or not the message.
    package var mustBeVideo = false
    /// Whether the recipient fetches the item when the user opens the notification, and not before.
    package var isDeferred = false
    /// The time at which the origin deletes the item.
    package var goneAt: Date?
    /// The size of the file in bytes, as the payload declares it.
    package var declaredByteCount: Int?
    /// The statements of the payload about the file in addition to its URL.
    package var claims: [MediaClaim] = []
    /// The key of the rendition's public URL, instead of the last key of ``path``; `nil` if the key is the same.
    package var publicURLKey: String?

    package init(
        url: String, path: JSONPath? = nil, identifier: String? = nil, role: MediaRole = .attachment,
        platform: PushPlatform? = nil, declaredType: DeclaredMediaType? = nil, options: AttachmentOptions = .init()
    ) {
        self.url = url
        self.path = path
        self.identifier = identifier
        self.role = role
        self.platform = platform
        self.declaredType = declaredType
        self.options = options
    }

    /// Whether the bytes are in the payload itself (RFC 2397).
    package var isInline: Bool { InlineMedia.isReference(url) }

    /// Whether the scheme is `http`, without TLS.
    package var isPlainHTTP: Bool { URIReference.scheme(of: url) == "http" }

    /// The URL as results show it. A long `data:` URL is cut after its media type.
    package var shownURL: String { InlineMedia.shown(url) }

    /// Creates a reference to the URL in a string of the payload; `nil` if there is no string, or if it is empty.
    ///
    /// - Parameter claims: The statements of the payload about the file; `nil` for a statement that it does not make.
    ///   They are read only if there is a string.
    package init?(
        _ node: JSONNode, identifier: String? = nil, role: MediaRole = .attachment, platform: PushPlatform? = nil,
        declaredType: DeclaredMediaType? = nil, options: AttachmentOptions = .init(),
        claims: @autoclosure () -> [MediaClaim?] = []
    ) {
        guard let url = node.text else { return nil }
        self.init(
            url: url, path: node.path, identifier: identifier, role: role, platform: platform,
            declaredType: declaredType, options: options)
        self.claims = claims().compactMap(\.self)
    }
}
