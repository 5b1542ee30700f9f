/// The facts that the chunks of a WebP state (RFC 9649). No image data is decoded for them.
package struct WebPHeader: Sendable, Equatable {
    /// The width of the stored canvas in pixels, 1…16,777,216, before orientation.
    package var width: Int
    package var height: Int
    /// Whether the image, or the first frame of an animation, is coded without loss.
    package var isLossless: Bool
    /// Whether the file states that a pixel may be transparent.
    package var hasAlpha: Bool
    package var isAnimated: Bool
    /// The delay of each frame of an animation; empty for a still image.
    package var times: AnimationTimes
    /// The number of times that an animation is played, 1…65,535; `nil` if it is played forever.
    package var plays: Int?
    /// Whether the bytes have all chunks that the file's size field covers, and at least one of them is an image.
    package var isComplete: Bool
    package var orientation: ImageOrientation
    /// Whether the file has EXIF or XMP.
    package var hasMetadata: Bool
    /// The parts of a complete animation without EXIF, XMP and unknown chunks; `nil` for a still image and a truncated
    /// file.
    package var kept: RetainedRanges?
    /// The range of the ICC profile; `nil` if none exists.
    package var profile: Range<Int>?

    /// The number of frames of an animation; 1 for a still image.
    package var frameCount: Int { max(1, times.count) }

    /// The number of bytes of the decoded canvas. A lossless image has four bytes per pixel. In a lossy image, a pixel
    /// has one and a half bytes for its colors and one byte for its alpha.
    package var decodedBytes: Int {
        let pixels = width * height
        return isLossless ? pixels * 4 : pixels * (hasAlpha ? 5 : 3) / 2
    }
}

extension WebPHeader {
    /// Walks the whole file.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the size is known, or `malformed`. A file that ends later is no
    ///   error, but `isComplete` is false.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        self = try WebPWalk.header(of: bytes)
    }
}
