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
    package var maxSourceBytes: Int {
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

/// The facts about the streams of a video or audio file. A value that was not measured is `nil`.
package struct StreamFacts: Sendable, Equatable {
    /// FFmpeg's name of the video codec, such as `h264`; `nil` if the file is a sound.
    package var videoCodec: String?
    /// The number of frames per second, rounded to the thousandth.
    package var frameRate: Double?
    /// FFmpeg's name of the audio codec, such as `aac`; `nil` if the file has no sound.
    package var audioCodec: String?
    /// The number of samples per second.
    package var sampleRate: Int?
    package var channels: Int?
    /// The bits per second of the whole file.
    package var bitRate: Int?

    package init(
        videoCodec: String? = nil, frameRate: Double? = nil, audioCodec: String? = nil, sampleRate: Int? = nil,
        channels: Int? = nil, bitRate: Int? = nil
    ) {
        self.videoCodec = videoCodec
        self.frameRate = frameRate
        self.audioCodec = audioCodec
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitRate = bitRate
    }
}
