/// The facts that the blocks of a GIF state (GIF89a). Nothing is decompressed for them.
package struct GIFHeader: Sendable, Equatable {
    /// The width of the logical screen in pixels, 1…65,535.
    package var width: Int
    package var height: Int
    /// The width of a screen on which FFmpeg's decoder can draw all kept frames, in pixels. The value is at least
    /// `width`.
    package var decodedWidth: Int
    package var decodedHeight: Int
    /// The number of frames that are kept, counted from the first.
    package var frameCount: Int
    /// The number of frames of the file.
    package var sourceFrameCount: Int
    /// The sum of the kept frames' delays, in milliseconds. A delay below 20 ms counts as 100 ms, as players show it.
    package var durationMilliseconds: Int
    /// The delays of the kept frames, in milliseconds. A delay below 20 ms counts as 100 ms.
    package var delays: [Int]
    /// The number of times that the animation is played, 1…65,536; `nil` if it is played forever.
    package var plays: Int?
    /// Whether at least one frame has a transparent color.
    package var hasTransparency: Bool
    /// Whether at least one frame is removed after its time, and the content before it is restored. A decoder keeps
    /// that content in memory.
    package var restoresPrevious: Bool
    /// Whether a part of the screen is covered by no frame at some time. The first frame may be smaller than the
    /// screen, or a frame may be removed after its time.
    package var isPartlyUncovered: Bool
    /// Whether the only frame has no codes. Such a file is invisible; web pages use it as a transparent spacer.
    package var isEmpty: Bool
    /// Whether the file ends between two blocks. A truncated file ends within a block.
    ///
    /// Browsers show a file that has whole frames but no trailer, or other bytes instead of the next block. `kept` adds
    /// the trailer to such a file.
    package var isComplete: Bool
    /// The parts of the file without its metadata, and with a trailer.
    ///
    /// Comments, plain texts, unknown application blocks, frames beyond the limits, and all bytes after the trailer are
    /// removed. A file that ends within a block keeps its whole frames.
    package var kept: RetainedRanges
    /// Whether `kept` leaves out any part of the file.
    package var hasMetadata: Bool

    package var isAnimated: Bool {
        frameCount > 1
    }

    /// Whether a frame is larger than the screen, or begins beyond it.
    package var hasLargeFrame: Bool { decodedWidth > width || decodedHeight > height }

    /// The number of bytes of one decoded frame, with four bytes per pixel.
    package var decodedBytes: Int {
        decodedWidth * decodedHeight * 4
    }
}

extension GIFHeader {
    /// Walks the whole file.
    ///
    /// - Parameter allowsCutFrame: Whether a file is accepted that ends within its first frame. Its frame count is 0.
    /// - Parameter mostFrames: The maximum number of frames that are kept.
    /// - Parameter mostMilliseconds: The maximum time of the kept frames, in milliseconds. The first frame is kept in
    ///   any case.
    /// - Throws: `wrongFormat`, `truncated` before the first image, `malformed`, or `excessive`. A file that ends later
    ///   is no error, but `isComplete` is false.
    package init(
        _ bytes: Span<UInt8>, allowsCutFrame: Bool = false, mostFrames: Int = .max, mostMilliseconds: Int = .max
    ) throws(MediaHeaderError) {
        self = try GIFWalk.header(
            of: bytes, leastFrames: allowsCutFrame ? 0 : 1, mostFrames: mostFrames, mostMilliseconds: mostMilliseconds)
    }
}
