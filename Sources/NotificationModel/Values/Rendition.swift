package enum RenditionKind: String, Sendable {
    case attachment
    case thumbnail
    /// A still of a video.
    case poster
}

/// The types that renditions have: those that `UNNotificationAttachment` takes and this program makes, and the animations
/// that browsers show, too.
package enum RenditionType: String, Sendable, CaseIterable {
    case jpeg
    case png
    case gif
    case mp4
    case m4a
    case mp3
    case wav
    case aiff
    case webp
    case avif

    package var mimeType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .mp4: "video/mp4"
        case .m4a: "audio/mp4"
        case .mp3: "audio/mpeg"
        case .wav: "audio/wav"
        case .aiff: "audio/aiff"
        case .webp: "image/webp"
        case .avif: "image/avif"
        }
    }

    /// Apple's uniform type identifier.
    package var uniformTypeIdentifier: String {
        switch self {
        case .jpeg: "public.jpeg"
        case .png: "public.png"
        case .gif: "com.compuserve.gif"
        case .mp4: "public.mpeg-4"
        case .m4a: "public.mpeg-4-audio"
        case .mp3: "public.mp3"
        case .wav: "com.microsoft.waveform-audio"
        case .aiff: "public.aiff-audio"
        case .webp: "org.webmproject.webp"
        case .avif: "public.avif"
        }
    }

    package enum Kind: Sendable {
        case image, video, sound
    }

    package var kind: Kind {
        switch self {
        case .jpeg, .png, .gif, .webp, .avif: .image
        case .mp4: .video
        case .m4a, .mp3, .wav, .aiff: .sound
        }
    }

    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .mp4, .m4a, .mp3, .wav, .webp, .avif: rawValue
        case .aiff: "aif"
        }
    }
}

/// The facts of a rendition's content.
package struct RenditionInfo: Sendable, Equatable {
    package var kind: RenditionKind
    package var type: RenditionType
    package var byteCount: Int
    /// Pixels, after orientation.
    package var width: Int
    package var height: Int
    /// Frames of the file.
    package var frames: Int
    /// Frames of the source up to the last one that is shown, for an animation that is cut to its first frames; `nil` for
    /// others.
    package var keptFrames: Int?
    /// All frames of the source of an animation that is cut to its first ones; `nil` for others.
    package var sourceFrames: Int?
    package var duration: Duration?
    /// The streams of a film or a sound.
    package var streams: StreamFacts?
    /// The preview of a picture, an animation or a video's poster; `nil` if none could be made.
    package var preview: ImagePreview?

    package init(
        kind: RenditionKind, type: RenditionType, byteCount: Int, width: Int, height: Int, frames: Int = 1,
        keptFrames: Int? = nil, sourceFrames: Int? = nil, duration: Duration? = nil, streams: StreamFacts? = nil,
        preview: ImagePreview? = nil
    ) {
        self.kind = kind
        self.type = type
        self.byteCount = byteCount
        self.width = width
        self.height = height
        self.frames = frames
        self.keptFrames = keptFrames
        self.sourceFrames = sourceFrames
        self.duration = duration
        self.streams = streams
        self.preview = preview
    }
}

extension RenditionInfo {
    /// A sentence for people about an animation that is cut to its first frames.
    package var cut: String? {
        guard let keptFrames, let sourceFrames else { return nil }
        return "cut to the first \(keptFrames.grouped) of \(sourceFrames.grouped) frames"
    }
}

extension Int {
    /// The number with commas between thousands.
    fileprivate var grouped: String {
        let digits = Array(String(self))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digits[index])
        }
    }
}

/// A file made from a medium for a profile, not stored yet.
package struct Rendition: Sendable {
    package var info: RenditionInfo
    package var file: MediaFile

    package init(info: RenditionInfo, file: MediaFile) {
        self.info = info
        self.file = file
    }
}

/// All renditions of one medium, and what its bytes turned out to be.
package struct RenditionSet: Sendable {
    /// The source's media type, by its bytes.
    package var sourceType: String
    package var renditions: [Rendition]
    /// `nil`: they are as the profile asks for.
    package var reduction: MediaReduction?
    /// The part of a damaged source that they show, as a sentence for people; `nil` for an intact source.
    package var damage: String?
    /// The film or sound that they were made from; `nil` for other sources.
    package var source: SourceFacts?

    package init(
        sourceType: String, renditions: [Rendition], reduction: MediaReduction? = nil, damage: String? = nil,
        source: SourceFacts? = nil
    ) {
        self.sourceType = sourceType
        self.renditions = renditions
        self.reduction = reduction
        self.damage = damage
        self.source = source
    }
}

/// A rendition in the container, durable.
package struct StoredAsset: Sendable, Equatable {
    package var info: RenditionInfo
    /// SHA-256 of the file's bytes, 64 lower-case hexadecimal digits.
    package var sha256: String
    /// Relative to the group's folder.
    package var path: String

    package init(info: RenditionInfo, sha256: String, path: String) {
        self.info = info
        self.sha256 = sha256
        self.path = path
    }
}

/// A rendition in place of the one that the profile asks for, because there was no time for that one, or because it
/// could not be made.
package struct MediaReduction: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A smaller picture.
        case smaller
        /// One picture of an animation or of a video.
        case still
        /// A picture of the thumbnail's size, and no thumbnail beside it.
        case thumbnail
        /// The first bytes of a file whose download failed or had not ended.
        case part
    }

    package var kind: Kind
    /// A sentence for people.
    package var detail: String
    /// Why the profile's rendition was not made.
    package var reason: DegradationReason

    /// The part of the picture that the first bytes show, such as `60 % of the rows`; `nil` for other kinds.
    private var shownPart: String?

    package init(_ kind: Kind, _ detail: String, because reason: DegradationReason = .budgetExceeded) {
        self.kind = kind
        self.detail = detail
        self.reason = reason
    }

    /// Creates the still of the first bytes of a file whose download had not ended.
    ///
    /// - Parameter shownPart: the part of the picture that the bytes show.
    package init(ofPart shownPart: String) {
        self.init(.part, "the budget left time for the first bytes of the file: \(shownPart)")
        self.shownPart = shownPart
    }

    /// Returns the same still of first bytes for a download that has failed.
    package func after(_ failure: MediaFailure) -> MediaReduction {
        guard kind == .part, failure.reason != .budgetExceeded else { return self }
        let shown = shownPart.map { ": \($0)" } ?? ""
        return MediaReduction(
            .part, "\(failure.detail); only the first bytes of the file are shown\(shown)", because: failure.reason)
    }

    /// The reduced rendition as a failure, for callers that take only what the profile asks for.
    package var failure: MediaFailure { MediaFailure(reason, detail) }

    /// Whether a request with more time may get more. The first bytes of a file show the same after any time.
    package var isUndoneByTime: Bool { kind != .part && [.budgetExceeded, .overloaded].contains(reason) }
}
