/// The facts that the chunks of a WebP state (RFC 9649), read without decoding.
package struct WebPHeader: Sendable, Equatable {
    /// Stored pixels of the canvas, 1…16,777,216, before orientation.
    package var width: Int
    package var height: Int
    /// Whether the picture (or an animation's first) is coded without loss.
    package var isLossless: Bool
    /// Whether the file says that some pixel may be transparent.
    package var hasAlpha: Bool
    package var isAnimated: Bool
    /// The time of each frame of an animation; empty for a still.
    package var times: AnimationTimes
    /// The number of times that an animation is played, 1…65,535; `nil` plays it for ever.
    package var plays: Int?
    /// Whether all chunks that the file's size field covers are there, and a picture among them.
    package var isComplete: Bool
    package var orientation: ImageOrientation
    /// Whether there is EXIF or XMP.
    package var hasMetadata: Bool
    /// A whole animation without EXIF, XMP and unknown chunks; `nil` for a still.
    package var kept: RetainedRanges?
    /// The place of the ICC profile.
    package var profile: Range<Int>?

    /// Walks the whole file.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the size is known, `malformed`. A file that ends later is no error:
    ///   `isComplete` says so.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        self = try WebPWalk.header(of: bytes)
    }

    init(
        width: Int, height: Int, isLossless: Bool, hasAlpha: Bool, isAnimated: Bool,
        times: AnimationTimes, plays: Int?, isComplete: Bool, orientation: ImageOrientation, hasMetadata: Bool,
        kept: RetainedRanges?, profile: Range<Int>?
    ) {
        self.width = width
        self.height = height
        self.isLossless = isLossless
        self.hasAlpha = hasAlpha
        self.isAnimated = isAnimated
        self.times = times
        self.plays = plays
        self.isComplete = isComplete
        self.orientation = orientation
        self.hasMetadata = hasMetadata
        self.kept = kept
        self.profile = profile
    }

    /// Frames of an animation, 1 for a still.
    package var frameCount: Int { max(1, times.count) }

    /// Bytes of the decoded canvas: four a pixel, or one and a half for lossy colours and one for their alpha.
    package var decodedBytes: Int {
        let pixels = width * height
        return isLossless ? pixels * 4 : pixels * (hasAlpha ? 5 : 3) / 2
    }
}
