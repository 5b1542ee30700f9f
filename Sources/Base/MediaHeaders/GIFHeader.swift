/// The facts that the blocks of a GIF state (GIF89a). Nothing is decompressed for them.
package struct GIFHeader: Sendable, Equatable {
    /// The width of the logical screen in pixels, 1…65,535.
    package var width: Int
    package var height: Int
    /// The width of a screen on which FFmpeg's decoder can draw all kept frames, in pixels. It is at least `width`.
    package var decodedWidth: Int
    package var decodedHeight: Int
    /// The number of frames that are kept, counted from the first.
    package var frameCount = 0
    /// The number of frames of the file.
    package var sourceFrameCount = 0
    /// The sum of the kept frames' delays, in milliseconds. A delay below 20 ms counts as 100 ms, as players show it.
    package var durationMilliseconds = 0
    /// The delays of the kept frames, in milliseconds. A delay below 20 ms counts as 100 ms.
    package var delays: [Int] = []
    /// The number of times that the animation is played, 1…65,536; `nil` if it is played forever.
    package var plays: Int? = 1
    /// Whether at least one frame has a transparent color.
    package var hasTransparency = false
    /// Whether a frame is replaced by the content before it after its time. A decoder keeps that content in memory.
    package var restoresPrevious = false
    /// Whether a part of the screen is covered by no frame at some time: the first is smaller, or one is removed.
    package var isPartlyUncovered = false
    /// Whether the only frame has no codes. Such a file is invisible; web pages use it as a transparent spacer.
    package var isEmpty = false
    /// Whether the file ends between two blocks. A truncated file ends within a block.
    ///
    /// Browsers show a file with whole frames and other bytes instead of a trailer. `kept` adds the trailer.
    package var isComplete = false
    /// The parts of the file without its metadata, and with a trailer.
    ///
    /// Comments, plain texts, unknown application blocks, frames beyond the limits, and all bytes after the trailer are
    /// removed. A file that ends within a block keeps its whole frames.
    package var kept = RetainedRanges()
    /// Whether `kept` leaves out any part of the file.
    package var hasMetadata = false

    package var isAnimated: Bool { frameCount > 1 }

    /// Whether a frame is larger than the screen, or begins beyond it.
    package var hasLargeFrame: Bool { decodedWidth > width || decodedHeight > height }

    /// The number of bytes of one decoded frame, with four bytes per pixel.
    package var decodedBytes: Int { decodedWidth * decodedHeight * 4 }
}

extension GIFHeader {
    /// Walks the whole file.
    ///
    /// - Parameter allowsCutFrame: Whether a file is accepted that ends within its first frame. Its frame count is 0.
    /// - Parameter maxFrames: The maximum number of frames that are kept.
    /// - Parameter maxMilliseconds: The maximum time of the kept frames after the first, in milliseconds.
    /// - Throws: `wrongFormat`, `truncated` before the first image, `malformed`, or `excessive`. A file that ends later
    ///   is no error, but `isComplete` is false.
    package init(
        _ bytes: Span<UInt8>, allowsCutFrame: Bool = false, maxFrames: Int = .max, maxMilliseconds: Int = .max
    ) throws(MediaHeaderError) {
        self = try GIFWalk.header(
            of: bytes, minFrames: allowsCutFrame ? 0 : 1, maxFrames: maxFrames, maxMilliseconds: maxMilliseconds)
    }
}
