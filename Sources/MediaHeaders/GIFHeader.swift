/// The facts that the blocks of a GIF state (GIF89a), read without decompressing anything.
package struct GIFHeader: Sendable, Equatable {
    /// The logical screen in pixels, 1…65,535.
    package var width: Int
    package var height: Int
    /// The sides of a screen on which FFmpeg's decoder can draw all kept frames, at least those of the file's screen.
    package var decodedWidth: Int
    package var decodedHeight: Int
    /// Frames that are kept, from the first one on.
    package var frameCount: Int
    /// Frames of the file.
    package var sourceFrameCount: Int
    /// The sum of the kept frames' delays in milliseconds; delays below 20 ms count 100 ms, as players show them.
    package var durationMilliseconds: Int
    /// The delays of the kept frames in milliseconds, likewise.
    package var delays: [Int]
    /// The number of times that the animation is played, 1…65,536; `nil` plays it for ever.
    package var plays: Int?
    /// Whether some frame has a transparent colour.
    package var hasTransparency: Bool
    /// Whether some frame gives way to what was there before it, so that a decoder keeps that.
    package var restoresPrevious: Bool
    /// Whether some part of the screen is covered by no frame at some time: by the first one, or after a frame that is
    /// removed.
    package var isPartlyUncovered: Bool
    /// Whether its only frame has no codes, so that it shows nothing: a transparent spacer.
    package var isEmpty: Bool
    /// Whether it ends between two blocks. One of a whole picture that no trailer closes, or that something else than a
    /// block follows, is shown everywhere, and gets its trailer in `kept`; a file that is cut ends within a block.
    package var isComplete: Bool
    /// The file without comments, plain texts, foreign application blocks, frames beyond the limits and anything behind
    /// its end, with a trailer. A file that is cut within a block keeps its whole frames.
    package var kept: RetainedRanges
    /// Whether `kept` leaves something out.
    package var hasMetadata: Bool

    /// Walks the whole file.
    ///
    /// - Parameters:
    ///   - allowsCutFrame: whether a file is taken that ends within its first frame. Its frame count is 0.
    ///   - mostFrames: the number of frames that are kept at most.
    ///   - mostMilliseconds: frames that end later are not kept. The first one always is.
    /// - Throws: `wrongFormat`, `truncated` before the first picture, `malformed`, `excessive`. A file that ends later is
    ///   no error: `isComplete` says so.
    package init(
        _ bytes: Span<UInt8>, allowsCutFrame: Bool = false, mostFrames: Int = .max, mostMilliseconds: Int = .max
    ) throws(MediaHeaderError) {
        self = try GIFWalk.header(
            of: bytes, leastFrames: allowsCutFrame ? 0 : 1, mostFrames: mostFrames, mostMilliseconds: mostMilliseconds)
    }

    init(
        width: Int, height: Int, decodedWidth: Int, decodedHeight: Int, frameCount: Int, sourceFrameCount: Int,
        durationMilliseconds: Int,
        delays: [Int], plays: Int?, hasTransparency: Bool,
        restoresPrevious: Bool, isPartlyUncovered: Bool, isEmpty: Bool, isComplete: Bool, kept: RetainedRanges,
        hasMetadata: Bool
    ) {
        self.width = width
        self.height = height
        self.decodedWidth = decodedWidth
        self.decodedHeight = decodedHeight
        self.frameCount = frameCount
        self.sourceFrameCount = sourceFrameCount
        self.durationMilliseconds = durationMilliseconds
        self.delays = delays
        self.plays = plays
        self.hasTransparency = hasTransparency
        self.restoresPrevious = restoresPrevious
        self.isPartlyUncovered = isPartlyUncovered
        self.isEmpty = isEmpty
        self.isComplete = isComplete
        self.kept = kept
        self.hasMetadata = hasMetadata
    }

    package var isAnimated: Bool {
        frameCount > 1
    }

    /// Whether a frame is larger than the screen, or begins beyond it.
    package var hasLargeFrame: Bool { decodedWidth > width || decodedHeight > height }

    /// Bytes of one decoded picture, four a pixel.
    package var decodedBytes: Int {
        decodedWidth * decodedHeight * 4
    }
}
