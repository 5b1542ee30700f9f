package import FoundationEssentials
package import JSON

/// What a medium is for, as the payload says.
package enum MediaRole: String, Sendable, CaseIterable {
    case attachment
    case thumbnail
    case icon
    case badge
    case actionIcon = "action-icon"
    /// The picture that cuts a video's figure out of its background.
    case mask
}

/// Apple's options of an attachment (`UNNotificationAttachmentOptions…Key`).
package struct AttachmentOptions: Sendable, Hashable {
    /// A rectangle in unit coordinates, each 0…1, origin at the upper left.
    package struct ClippingRect: Sendable, Hashable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    package var thumbnailHidden = false
    package var thumbnailClippingRect: ClippingRect?
    /// Seconds into a video.
    package var thumbnailTime: Double?

    package init() {}
}

/// The platform that a payload names for a medium, where one payload speaks to several.
package enum PushPlatform: String, Sendable, CaseIterable {
    /// Whichever has none of its own.
    case any
    case apns
    case android
    case webpush
}

/// What a payload says about a medium's type. The bytes decide; this tells where the two disagree.
package enum DeclaredMediaType: Sendable, Equatable, CustomStringConvertible {
    /// `image/jpeg`
    case mimeType(String)
    /// `jpg`, without a dot.
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

    /// `nil` when the declaration is of no known type.
    package var kind: MediaFormat.Kind? {
        switch self {
        case .mimeType(let type):
            if let format = MediaFormat.named(mimeType: type) { return format.kind }
            return Self.kind(ofClass: type.split(separator: "/").first.map(String.init) ?? "")
        case .fileExtension(let name): return MediaFormat.named(extension: name)?.kind
        case .mediaClass(let name): return MediaFormat.named(extension: name)?.kind ?? Self.kind(ofClass: name)
        }
    }

    private static func kind(ofClass name: String) -> MediaFormat.Kind? {
        switch name.lowercased() {
        case "image": .picture
        case "video": .video
        case "audio": .sound
        default: nil
        }
    }

    /// Whether a file of this type is what was declared; `nil` where the declaration is of no known type.
    package func agrees(withMIMEType type: String) -> Bool? {
        switch self {
        case .mimeType(let declared):
            return (MediaFormat.named(mimeType: declared)?.mimeType ?? MediaFormat.bareMIMEType(declared)) == type
        case .fileExtension(let name): return MediaFormat.named(extension: name).map { $0.mimeType == type }
        case .mediaClass(let name):
            if let exact = MediaFormat.named(extension: name) { return exact.mimeType == type }
            let classes = ["image", "video", "audio"]
            return classes.contains(name.lowercased()) ? type.hasPrefix(name.lowercased() + "/") : nil
        }
    }
}

/// One medium that a payload refers to, in the payload's words.
package struct MediaReference: Sendable, Equatable {
    /// When it is to be shown.
    package enum Use: Sendable, Equatable {
        case always
        /// In place of the others, once the message has expired.
        case afterExpiry
    }

    /// As the payload writes it: relative, hostile, anything.
    package var url: String
    /// Where the payload has it; `nil` where the string is not the payload's own.
    package var path: JSONPath?
    /// The payload's name for it; `nil` where it has none.
    package var identifier: String?
    package var role: MediaRole
    /// `nil`: the payload speaks to one platform only.
    package var platform: PushPlatform?
    package var declaredType: DeclaredMediaType?
    package var options: AttachmentOptions
    package var use = Use.always
    /// The message itself: without it the notification is a fallback, whatever else is there.
    package var isRequired = false
    /// The required message is a video: a picture in its place is a mask, or not the message.
    package var mustBeVideo = false
    /// The receiver is to fetch it when it is looked at, not before.
    package var isDeferred = false
    /// When the origin will have deleted it.
    package var goneAt: Date?
    /// Size of the file in bytes, as the payload says.
    package var declaredByteCount: Int?
    /// Statements about the file beside its URL.
    package var claims: [MediaClaim] = []
    /// The key that a public URL has in place of the last one of ``path``; `nil`: the same.
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

    /// The bytes are in the payload itself (RFC 2397).
    package var isInline: Bool { InlineMedia.isReference(url) }

    /// The scheme is http, without TLS.
    package var isPlainHTTP: Bool { url.prefix(5).lowercased() == "http:" }

    /// The URL as results show it: a long one with the bytes in it is cut after what it says of them.
    package var shownURL: String { InlineMedia.shown(url) }

    /// The medium that a string of the payload refers to; `nil` where there is no string, or an empty one.
    package init?(
        _ node: JSONNode, identifier: String? = nil, role: MediaRole = .attachment, platform: PushPlatform? = nil,
        declaredType: DeclaredMediaType? = nil, options: AttachmentOptions = .init()
    ) {
        guard let url = node.text else { return nil }
        self.init(
            url: url, path: node.path, identifier: identifier, role: role, platform: platform,
            declaredType: declaredType, options: options)
    }
}
