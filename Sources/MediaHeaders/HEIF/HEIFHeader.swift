/// The facts that the boxes of a HEIC or AVIF file state (ISO 14496-12, ISO 23008-12, ISO 23000-22, AV1 Image File
/// Format), read without decoding.
///
/// The ranges are of the whole file. `isComplete` says whether all of them lie in the bytes that were walked.
package struct HEIFHeader: Sendable, Equatable {
    /// Thumbnails that are listed; a writer makes one or two.
    package static let mostThumbnails = 8

    /// The primary item. EXIF's orientation does not count here: only properties turn a picture, and `framing` has them all
    /// (ISO 23008-12, 6.3).
    package var image: HEIFImage
    /// How opaque each decoded pixel is: the samples of this picture's first plane. It lies over the primary picture before
    /// `image.framing`, which turns both; its own framing only repeats that. Its size may differ.
    package var alpha: HEIFImage?
    /// Whether the colours are multiplied by the alpha already.
    package var isPremultiplied: Bool
    /// Coded pictures for previews, as the file lists them.
    package var thumbnails: [HEIFImage]
    /// Whether there is also a track: a sequence that the primary picture stands for.
    package var hasTrack: Bool
    /// The frames of the sequence; `nil` without one, and if its track cannot be read.
    package var sequence: HEIFSequence?
    /// Whether no box at the file's top level is cut and all extents of the listed pictures lie in the bytes.
    package var isComplete: Bool
    /// The file as it is.
    package var whole: RetainedRanges
    package var hasExif: Bool
    package var hasXMP: Bool

    /// Walks the boxes; media data is passed over.
    ///
    /// - Throws: `wrongFormat`; `truncated` before the end of the meta box or inside a grid's description; `malformed`;
    ///   `excessive`; `unsupported` for a primary picture of another codec or construction, which the text names. A file
    ///   that ends later is no error.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        self = try HEIFWalk.header(of: bytes)
    }

    init(
        image: HEIFImage, alpha: HEIFImage?, isPremultiplied: Bool, thumbnails: [HEIFImage], hasTrack: Bool,
        sequence: HEIFSequence?, isComplete: Bool, whole: RetainedRanges, hasExif: Bool, hasXMP: Bool
    ) {
        self.image = image
        self.alpha = alpha
        self.isPremultiplied = isPremultiplied
        self.thumbnails = thumbnails
        self.hasTrack = hasTrack
        self.sequence = sequence
        self.isComplete = isComplete
        self.whole = whole
        self.hasExif = hasExif
        self.hasXMP = hasXMP
    }

    /// Pixels of the picture as it is shown.
    package var width: Int {
        image.framing.width
    }

    package var height: Int {
        image.framing.height
    }

    package var hasMetadata: Bool {
        hasExif || hasXMP
    }

    /// Whether the picture is of AV1, whole and upright, so that it stands for the frames of a sequence as they are.
    package var isUnframedAV1: Bool {
        image.codec == .av1 && !image.isGrid && image.framing.orientation == .upright
            && (image.framing.crop.width, image.framing.crop.height) == (image.width, image.height)
    }

    /// Whether the frames of the sequence are as large as the primary picture, which stands for them.
    package var hasFramesOfItsSize: Bool {
        guard let frames = sequence?.colours else { return false }
        return (frames.width, frames.height) == (image.width, image.height)
    }

    /// Bytes of the decoded picture and its alpha; `Int.max` at most.
    package var decodedBytes: Int {
        image.decodedBytes.addedOrMax(alpha?.decodedBytes ?? 0)
    }
}
