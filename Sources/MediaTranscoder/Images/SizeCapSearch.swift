import Glibc

/// Finds the best JPEG that has no more than so many bytes, in a few attempts: first by quality, then by size. Pure.
///
/// From a quality of 40 on, fewer pixels look better than coarser ones.
struct SizeCapSearch {
    /// What is coarse enough, as libjpeg counts qualities.
    private static let coarseEnough = 40
    /// From here on bytes grow so steeply that they tell little of what is below.
    private static let fineEnough = 85
    /// After it is made smaller: room for what the guess was wrong by.
    private static let afterShrinking = 70
    /// Between a quality that fits and one that does not, so many more are tried.
    private static let mostSteps = 2
    private static let mostShrinkings = 6
    /// Smaller pictures show nothing.
    static let leastSide = 16

    enum Step: Equatable {
        /// The last one that fitted is the one.
        case done
        /// The same picture in this quality.
        case quality(Int)
        /// The picture with sides of so many times their length, in the quality that is asked for next.
        case shrink(Double)
        case impossible
    }

    private let mostBytes: Int
    private let finest: Int
    private(set) var quality: Int
    /// The best quality that fits, and the coarsest that does not, with their bytes.
    private var fitting: (quality: Int, bytes: Int)?
    private var tooLarge: (quality: Int, bytes: Int)?
    private var steps = 0
    private var shrinkings = 0

    /// - Parameter quality: what is tried first, and no finer one.
    init(mostBytes: UInt64, quality: Int) {
        self.mostBytes = Int(clamping: mostBytes)
        self.quality = quality
        finest = quality
    }

    /// What an attempt with `quality` came to.
    mutating func attempt(bytes: Int, longestSide: Int) -> Step {
        if bytes <= mostBytes {
            fitting = (quality, bytes)
            // Of a picture that was made smaller, the first that fits will do.
            guard let tooLarge, shrinkings == 0, steps < Self.mostSteps, tooLarge.quality - quality > 3 else {
                return .done
            }
            return next(between: (quality, bytes), tooLarge)
        }
        tooLarge = (quality, bytes)
        if let fitting {
            guard steps < Self.mostSteps, quality - fitting.quality > 3 else { return .done }
            return next(between: fitting, (quality, bytes))
        }
        guard quality <= Self.fineEnough else { return ask(Self.fineEnough) }
        guard quality <= Self.coarseEnough else { return ask(Self.coarseEnough) }
        guard shrinkings < Self.mostShrinkings, longestSide > Self.leastSide, bytes > 0 else { return .impossible }
        shrinkings += 1
        tooLarge = nil
        quality = min(finest, Self.afterShrinking)
        // Bytes go with the area; a finer quality, and some of it that does not shrink, take their part.
        let factor = (Double(mostBytes) / Double(bytes)).squareRoot() * 0.75
        return .shrink(min(0.9, max(0.05, factor)))
    }

    /// Bytes grow about evenly in their logarithm between two qualities.
    private mutating func next(
        between low: (quality: Int, bytes: Int), _ high: (quality: Int, bytes: Int)
    ) -> Step {
        steps += 1
        let range = log(Double(high.bytes) / Double(max(1, low.bytes)))
        let share = range > 0 ? log(Double(mostBytes) / Double(max(1, low.bytes))) / range : 0.5
        let guess = Double(low.quality) + share * Double(high.quality - low.quality) - 1
        return ask(min(high.quality - 1, max(low.quality + 1, Int(guess))))
    }

    private mutating func ask(_ quality: Int) -> Step {
        self.quality = quality
        return .quality(quality)
    }
}
