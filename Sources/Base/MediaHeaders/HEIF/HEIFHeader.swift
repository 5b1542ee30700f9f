import Base

/// The facts that the boxes of a HEIC or AVIF file state (ISO 14496-12, ISO 23008-12, ISO 23000-22, AV1 Image File
/// Format). No image data is decoded for them.
///
/// All ranges are offsets in the whole file. `isComplete` states whether all ranges lie in the bytes that were walked.
package struct HEIFHeader: Sendable, Equatable {
    /// The maximum number of thumbnails that are listed. A writer makes one or two.
    package static let maxThumbnails = 8

    /// The primary image. Only properties turn an image, not EXIF, and `framing` has all of them (ISO 23008-12, 6.3).
    package var image: HEIFImage
    /// The opacity of each decoded pixel, in the first plane of this image; `nil` for an opaque image.
    ///
    /// The alpha applies to the primary image before `image.framing`, which crops and turns both. The framing of the
    /// alpha image has no effect. The size of the alpha image may differ.
    package var alpha: HEIFImage?
    /// Whether the colors are already multiplied by the alpha.
    package var isPremultiplied: Bool
    /// The coded previews of the image, in the order of the file.
    package var thumbnails: [HEIFImage]
    /// Whether the file also has a track, which is an image sequence. The primary image then represents the sequence.
    package var hasTrack: Bool
    /// The frames of the image sequence; `nil` if none exists, or if its track cannot be read.
    package var sequence: HEIFSequence?
    /// Whether no box at the file's top level is cut, and all extents of the listed images lie in the bytes.
    package var isComplete: Bool
    /// A single range that covers the unchanged file.
    package var whole: RetainedRanges
    package var hasExif: Bool
    package var hasXMP: Bool

    /// The width of the image as it is shown, in pixels.
    package var width: Int { image.framing.width }

    package var height: Int { image.framing.height }

    package var hasMetadata: Bool { hasExif || hasXMP }

    /// Whether the image is AV1 of one tile, shown whole and upright. Only such an image can represent a sequence.
    package var isUnframedAV1: Bool {
        image.codec == .av1 && !image.isGrid && image.framing.orientation == .upright
            && (image.framing.crop.width, image.framing.crop.height) == (image.width, image.height)
    }

    /// Whether the frames of the sequence have the same size as the primary image, which represents them.
    package var hasFramesOfItsSize: Bool {
        guard let frames = sequence?.colors else { return false }
        return (frames.width, frames.height) == (image.width, image.height)
    }

    /// The number of bytes of the decoded image and its alpha, limited to `Int.max`.
    package var decodedBytes: Int { image.decodedBytes.addedOrMax(alpha?.decodedBytes ?? 0) }
}

extension HEIFHeader {
    /// Walks the boxes, and skips the media data.
    ///
    /// - Throws: `wrongFormat`; `truncated` before the end of the meta box or inside a grid's description; `malformed`;
    ///   `excessive`; `unsupported` for another codec or construction, which the text names. A later end is no error.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) { self = try HEIFWalk.header(of: bytes) }
}
