/// Finds a GIF within a cap of bytes, in a few attempts: fewer pixels, then coarser colours, then fewer
/// frames a second, and at last fewer frames. Pure.
struct AnimationCapSearch {
    /// One way to make the GIF.
    struct Attempt: Equatable {
        /// The longest side, in pixels.
        var side: Int
        /// Colours of the palette.
        var colours: Int
        /// Pixels that differ by no more from the frame before stay as they were, in levels.
        var tolerance: Int
        /// Each frame is shown at least so long, in milliseconds.
        var gap: Int
        /// Frames of the source, from the first one on.
        var frames: Int

        static func whole(_ side: Int, _ frames: Int) -> Attempt {
            Attempt(side: side, colours: 255, tolerance: 0, gap: 20, frames: frames)
        }
    }

    /// A guess is rarely right, and a second attempt costs as much as the first.
    private static let safety = 0.85
    private static let mostAttempts = 6
    /// Smaller animations show little; below the second figure they show nothing.
    private static let sides = (good: 320, least: 64)
    /// Bytes of a GIF with coarser colours, as a part of the bytes of the other.
    private static let coarse = 0.6
    private static let mostGap = 200

    private let mostBytes: Int
    private let side: Int
    private let frames: Int
    private let expected: Double
    /// The bytes of the whole animation as the attempts before tell, as a multiple of `expected`.
    private var correction = 1.0
    /// Bytes that the last attempt was expected to have.
    private var predicted = 1.0
    private var attempts = 0

    /// - Parameters:
    ///   - expected: bytes of the whole animation.
    ///   - side: its longest side.
    init(mostBytes: UInt64, expected: Int, side: Int, frames: Int) {
        self.mostBytes = Int(clamping: mostBytes)
        self.side = side
        self.frames = frames
        self.expected = Double(max(1, expected))
    }

    /// Returns the next attempt, or `nil` if no attempt is left.
    ///
    /// - Parameter delay: the mean of the frames' delays, in milliseconds.
    mutating func next(delay: Int) -> Attempt? {
        attempts += 1
        guard attempts <= Self.mostAttempts else { return nil }
        var attempt = Attempt.whole(side, frames)
        // The part of the bytes that is still to be saved after each step.
        var share = Double(mostBytes) / (expected * correction)
        predicted = share < 1 ? Double(mostBytes) * Self.safety : expected * correction
        guard share < 1 else { return attempt }
        share *= Self.safety
        share = shrink(&attempt, by: share, to: min(side, Self.sides.good))
        guard share < 1 else { return attempt }
        (attempt.colours, attempt.tolerance) = (127, 16)
        share /= Self.coarse
        guard share < 1 else { return attempt }
        let gap = min(Self.mostGap, Int(Double(max(20, delay)) / share))
        if gap > delay {
            attempt.gap = gap
            share *= Double(gap) / Double(max(20, delay))
        }
        guard share < 1 else { return attempt }
        (attempt.colours, attempt.tolerance) = (31, 24)
        share /= Self.coarse
        guard share < 1 else { return attempt }
        share = shrink(&attempt, by: share, to: min(side, Self.sides.least))
        guard share < 1 else { return attempt }
        attempt.frames = Int(Double(frames) * share)
        return attempt.frames > 1 ? attempt : nil
    }

    /// Takes notice of an attempt that had too many bytes, or would have had.
    mutating func exceeded(bytes: Int) {
        correction *= max(1.1, Double(bytes) / max(1, predicted))
    }

    /// Makes the sides smaller by as much as is needed, but no smaller than `least`.
    ///
    /// - Returns: the share of the bytes that is still to be reached; 1 if it is reached.
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
