package import Base
package import LinuxIO

package struct RenditionInfo: Sendable, Equatable {
    package var kind: RenditionKind
    /// The file type, one of `MediaFormat.renditions`.
    package var type: MediaFormat
    package var byteCount: Int
    /// The width in pixels, after orientation.
    package var width: Int
    package var height: Int
    package var frames: Int
    /// The number of frames of the source up to the last one that is shown, if an animation is cut to its first frames;
    /// `nil` for other renditions.
    package var keptFrames: Int?
    /// The number of frames of the source, if an animation is cut to its first frames; `nil` for other renditions.
    package var sourceFrames: Int?
    package var duration: Duration?
    /// The facts about the streams of a video or sound.
    package var streams: StreamFacts?
    /// The preview of an image, an animation or a video's poster; `nil` if none could be made.
    package var preview: ImagePreview?

    package init(
        kind: RenditionKind, type: MediaFormat, byteCount: Int, width: Int, height: Int, frames: Int = 1,
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

/// A file that was made from a media item for a profile and is not stored yet.
package struct Rendition: Sendable {
    package var info: RenditionInfo
    package var file: MediaFile

    package init(info: RenditionInfo, file: MediaFile) {
        self.info = info
        self.file = file
    }
}

/// The renditions of one media item, and the facts about its source.
package struct RenditionSet: Sendable {
    /// The media type that the source's bytes show.
    package var sourceType: String
    package var renditions: [Rendition]
    /// The part of the profile that the renditions do not meet; `nil` if they are complete.
    package var reduction: MediaReduction?
    /// A sentence for people about the part of a damaged source that the renditions show; `nil` if it is intact.
    package var damage: String?
    /// The facts about the video or audio source of the renditions; `nil` for other sources.
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

/// A durable rendition in the container.
package struct StoredAsset: Sendable, Equatable {
    package var info: RenditionInfo
    /// The SHA-256 of the file's bytes, in 64 lower-case hexadecimal digits.
    package var sha256: String
    /// The path of the file, relative to the group's directory.
    package var path: String

    package init(info: RenditionInfo, sha256: String, path: String) {
        self.info = info
        self.sha256 = sha256
        self.path = path
    }
}

/// A rendition that replaces the one for which the profile asks. The replaced rendition took too long or could not be
/// made.
package struct MediaReduction: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// An image with a smaller size.
        case smaller
        /// One image of an animation or of a video.
        case still
        /// An image of the thumbnail's size, without a separate thumbnail.
        case thumbnail
        /// The first bytes of a file whose download failed or had not ended.
        case part
    }

    package var kind: Kind
    /// A sentence for people.
    package var detail: String
    /// The reason for which the profile's rendition was not made.
    package var reason: DegradationReason

    /// The part of the image that the first bytes show, such as `60 % of the rows`; `nil` for other kinds.
    private var shownPart: String?

    package init(_ kind: Kind, _ detail: String, because reason: DegradationReason = .budgetExceeded) {
        self.kind = kind
        self.detail = detail
        self.reason = reason
    }

    /// Creates the reduction for a still from the first bytes of a file whose download had not ended.
    ///
    /// - Parameter shownPart: The part of the image that the bytes show.
    package init(ofPart shownPart: String) {
        self.init(.part, "the budget left time for the first bytes of the file: \(shownPart)")
        self.shownPart = shownPart
    }

    /// Returns the reduction of the same still after the download has failed.
    package func after(_ failure: MediaFailure) -> MediaReduction {
        guard kind == .part, failure.reason != .budgetExceeded else { return self }
        let shown = shownPart.map { ": \($0)" } ?? ""
        return MediaReduction(
            .part, "\(failure.detail); only the first bytes of the file are shown\(shown)", because: failure.reason)
    }

    /// The reduced rendition as a failure, for callers that need a complete rendition.
    package var failure: MediaFailure { MediaFailure(reason, detail) }

    /// Whether a request with more time may get a complete rendition. More time does not help with the first bytes of a
    /// file.
    package var isUndoneByTime: Bool { kind != .part && [.budgetExceeded, .overloaded].contains(reason) }
}

/// A placeholder that is shown until an image is loaded.
package struct ImagePreview: Sendable, Equatable {
    /// A blurred image as text (blurha.sh).
    package let blurhash: String
    /// The most frequent color of the image, as `#rrggbb`; `nil` if no pixel is opaque.
    package let dominantColor: String?

    /// Creates a preview; `nil` if the BlurHash or the color is malformed.
    package init?(blurhash: String, dominantColor: String?) {
        guard Self.isBlurhash(blurhash), dominantColor.map(Self.isColor) ?? true else { return nil }
        self.blurhash = blurhash
        self.dominantColor = dominantColor
    }

    /// Checks the digits of a BlurHash (wolt/blurhash, "Algorithm.md": "Structure"). The text has one digit for the
    /// number of components, and one for the largest component. The mean color has four digits, and each other
    /// component has two.
    private static func isBlurhash(_ text: String) -> Bool {
        let digits = Array(text.utf8)
        guard digits.count >= 6, let components = Base83.value(digits[..<1]), components < 81 else { return false }
        guard digits.count == 4 + 2 * (components % 9 + 1) * (components / 9 + 1) else { return false }
        guard Base83.value(digits[1..<2]) != nil, let mean = Base83.value(digits[2..<6]), mean < 1 << 24 else {
            return false
        }
        return stride(from: 6, to: digits.count, by: 2).allSatisfy { start in
            Base83.value(digits[start..<start + 2]).map { $0 < 19 * 19 * 19 } ?? false
        }
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
            && Hexadecimal.isLowercase(text.dropFirst())
    }
}
