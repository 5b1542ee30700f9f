/// The kind of a media item, as a notification presents the item.
package enum MediaKind: String, Sendable, CaseIterable {
    case image
    case video
    case sound

    /// The top-level type of the kind's MIME types.
    package var topLevelType: String {
        switch self {
        case .image, .video: rawValue
        case .sound: "audio"
        }
    }

    /// Creates the kind of a top-level type, in any case; `nil` for types that are not media.
    package init?(topLevelType name: String) {
        let name = name.lowercased()
        guard let kind = Self.allCases.first(where: { $0.topLevelType == name }) else { return nil }
        self = kind
    }

    /// The default limit of a source's size, in bytes.
    package var mostSourceBytes: Int {
        switch self {
        case .image: 40_000_000
        case .sound: 20_000_000
        case .video: 50_000_000
        }
    }
}

/// The use of a rendition.
package enum RenditionKind: String, Sendable, CaseIterable {
    /// The media item itself, converted to a form that the profile accepts.
    case attachment
    /// The small image, made from an image or from a frame of a video.
    case thumbnail
    /// A still image of a video, up to the profile's image size.
    case poster
}
