/// The frames of an animation that are shown, with their times. The type has no side effects.
struct FrameSchedule: Equatable {
    /// The time for which each frame of the source is shown, in milliseconds; 0 for a frame that is left out.
    private(set) var shown: [Int]

    /// Creates a schedule. A frame that follows too soon is left out, and its time goes to the shown frame before it.
    ///
    /// - Parameter delays: The delays of the source's frames, in milliseconds.
    /// - Parameter gap: The shortest time between two shown frames, in milliseconds.
    init(_ delays: [Int], gap: Int) {
        shown = [Int](repeating: 0, count: delays.count)
        var last = 0
        for (index, delay) in delays.enumerated() {
            if index > 0, shown[last] >= gap { last = index }
            shown[last] += delay
        }
    }

    var frameCount: Int { shown.reduce(0) { $0 + ($1 > 0 ? 1 : 0) } }
    var milliseconds: Int { shown.reduce(0, +) }

    /// The constant frame rate of a video that shows each frame of the source for a whole number of video frames.
    struct ConstantRate: Equatable {
        /// The time that `images` video frames take, in milliseconds.
        var milliseconds: Int
        var images: Int
        /// The number of video frames for each frame of the source; 0 for a frame that is left out.
        var counts: [Int]
    }

    /// The finest unit of time in a GIF, in milliseconds.
    private static let unit = 10
    /// The largest mean number of video frames for each frame of the source. Repeated ones cost time, but few bytes.
    private static let maxRepeats = 4
    private static let fewImages = 50
    /// The durations of a video frame, in milliseconds, at 50, 25 and 10 frames per second. These durations are used
    /// for times without a common divisor.
    private static let steps = [20, 40, 100]
    private static let minStep = 16

    /// The constant rate that shows the frames at their times; `nil` if it needs too many video frames.
    var constantRate: ConstantRate? {
        let delays = shown.filter { $0 > 0 }
        guard let least = delays.min(), let most = delays.max() else { return nil }
        // Rates such as 30 frames per second have no whole number of milliseconds.
        if most - least <= 2 {
            return ConstantRate(milliseconds: milliseconds, images: delays.count, counts: shown.map { $0 > 0 ? 1 : 0 })
        }
        let divisor = delays.reduce(0) { Self.greatestDivisor($0, max(1, ($1 + Self.unit / 2) / Self.unit)) }
        let steps = [divisor * Self.unit] + Self.steps
        return steps.lazy.compactMap { constantRate(step: $0, frames: delays.count) }.first
    }

    /// Returns the rate with a fixed duration of a video frame.
    ///
    /// - Parameter step: The duration of a video frame, in milliseconds.
    /// - Returns: `nil` if a frame of the source is shorter than a video frame, or if there are too many video frames.
    private func constantRate(step: Int, frames: Int) -> ConstantRate? {
        guard step >= Self.minStep else { return nil }
        var (time, image) = (0, 0)
        let counts = shown.map { delay in
            let start = image
            time += delay
            image = (time + step / 2) / step
            return image - start
        }
        let isWhole = zip(shown, counts).allSatisfy { $0 == 0 || $1 > 0 }
        guard isWhole, image <= Self.maxRepeats * frames + Self.fewImages else { return nil }
        return ConstantRate(milliseconds: step, images: 1, counts: counts)
    }

    private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
        var (larger, smaller) = (first, second)
        while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }
}
