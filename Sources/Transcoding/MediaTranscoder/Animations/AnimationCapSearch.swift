/// A search for the settings of a GIF that fits a cap in bytes, within a few attempts. The search reduces the quality
/// in a fixed order: first the number of pixels, then the colors, then the frame rate, and finally the number of
/// frames. The type has no side effects.
struct AnimationCapSearch {
    /// The settings of one attempt.
    struct Attempt: Equatable {
        /// The longest side, in pixels.
        var side: Int
        /// The largest number of colors in the palette.
        var colors: Int
        /// The largest difference from the previous frame, in levels, at which a pixel keeps its earlier color.
        var tolerance: Int
        /// The shortest time for which a frame is shown, in milliseconds.
        var gap: Int
        /// The number of frames that are taken from the source, counted from the first one.
        var frames: Int

        static func whole(_ side: Int, _ frames: Int) -> Attempt {
            Attempt(side: side, colors: 255, tolerance: 0, gap: 20, frames: frames)
        }
    }

    /// The part of the cap at which an attempt aims. An estimate is rarely exact, and another attempt costs as much.
    private static let safety = 0.85
    private static let maxAttempts = 6
    /// The longest sides, in pixels, at which two steps of the search stop. In an animation smaller than `good`, few
    /// details are visible. In an animation smaller than `least`, no details are visible.
    private static let sides = (good: 320, least: 64)
    /// The size of a GIF with coarser colors, as a fraction of its size with finer colors.
    private static let coarse = 0.6
    private static let maxGap = 200

    private let maxBytes: Int
    private let side: Int
    private let frames: Int
    private let expected: Double
    /// The factor between the estimate `expected` and the size of the whole animation that the failed attempts imply.
    private var correction = 1.0
    /// The number of bytes that the last attempt was expected to have.
    private var predicted = 1.0
    private var attempts = 0

    /// Creates a search for one animation.
    ///
    /// - Parameter expected: The estimated size of the whole animation, in bytes.
    /// - Parameter side: The longest side of the whole animation, in pixels.
    init(maxBytes: UInt64, expected: Int, side: Int, frames: Int) {
        self.maxBytes = Int(clamping: maxBytes)
        self.side = side
        self.frames = frames
        self.expected = Double(max(1, expected))
    }

    /// Returns the next attempt, or `nil` if no attempt is left.
    ///
    /// - Parameter delay: The mean delay of the frames, in milliseconds.
    mutating func next(delay: Int) -> Attempt? {
        attempts += 1
        guard attempts <= Self.maxAttempts else { return nil }
        var attempt = Attempt.whole(side, frames)
        // After each step, `share` is the fraction of the bytes that later steps have to reach.
        var share = Double(maxBytes) / (expected * correction)
        predicted = share < 1 ? Double(maxBytes) * Self.safety : expected * correction
        guard share < 1 else { return attempt }
        share *= Self.safety
        share = shrink(&attempt, by: share, to: min(side, Self.sides.good))
        guard share < 1 else { return attempt }
        (attempt.colors, attempt.tolerance) = (127, 16)
        share /= Self.coarse
        guard share < 1 else { return attempt }
        let gap = min(Self.maxGap, Int(Double(max(20, delay)) / share))
        if gap > delay {
            attempt.gap = gap
            share *= Double(gap) / Double(max(20, delay))
        }
        guard share < 1 else { return attempt }
        (attempt.colors, attempt.tolerance) = (31, 24)
        share /= Self.coarse
        guard share < 1 else { return attempt }
        share = shrink(&attempt, by: share, to: min(side, Self.sides.least))
        guard share < 1 else { return attempt }
        attempt.frames = Int(Double(frames) * share)
        return attempt.frames > 1 ? attempt : nil
    }

    /// Corrects the estimate after an attempt that exceeded the cap, or would have exceeded it.
    mutating func exceeded(bytes: Int) { correction *= max(1.1, Double(bytes) / max(1, predicted)) }

    /// Reduces the longest side by as much as is needed, but not below `least`.
    ///
    /// - Returns: The fraction of the bytes that later steps have to reach; 1 if no more has to be saved.
    private func shrink(_ attempt: inout Attempt, by share: Double, to least: Int) -> Double {
        let wanted = Int(Double(attempt.side) * share.squareRoot())
        guard wanted < least else {
            attempt.side = min(attempt.side, wanted)
            return 1
        }
        let saved = Double(least * least) / Double(attempt.side * attempt.side)
        attempt.side = least
        return share / saved
    }
}
