/// The frames of an animation that are shown, and for how long. Pure.
struct FrameSchedule: Equatable {
    /// Milliseconds that each frame of the source is shown; 0 for a frame that is left out.
    private(set) var shown: [Int]

    /// - Parameters:
    ///   - delays: of the source's frames, in milliseconds.
    ///   - gap: frames are shown at least so long, in milliseconds. The frames that follow too early are left out.
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

    /// The rate of a video that shows each frame for a whole number of its pictures.
    struct ConstantRate: Equatable {
        /// Milliseconds that `pictures` pictures take.
        var milliseconds: Int
        var pictures: Int
        /// Pictures of each frame of the source; 0 for a frame that is left out.
        var counts: [Int]
    }

    /// Hundredths of a second are the finest times that GIF has.
    private static let unit = 10
    /// Repeated pictures cost time, though few bytes.
    private static let mostRepeats = 4
    private static let fewPictures = 50
    /// Milliseconds of a picture at the rates of 50, 25 and 10 a second, for times that have no common divisor.
    private static let steps = [20, 40, 100]
    private static let leastStep = 16

    /// Returns the constant rate that shows the frames at their times; `nil` if it needs too many pictures.
    var constantRate: ConstantRate? {
        let delays = shown.filter { $0 > 0 }
        guard let least = delays.min(), let most = delays.max() else { return nil }
        // Rates like 30 a second have no whole milliseconds.
        if most - least <= 2 {
            return ConstantRate(
                milliseconds: milliseconds, pictures: delays.count, counts: shown.map { $0 > 0 ? 1 : 0 })
        }
        let divisor = delays.reduce(0) { Self.greatestDivisor($0, max(1, ($1 + Self.unit / 2) / Self.unit)) }
        let steps = [divisor * Self.unit] + Self.steps
        return steps.lazy.compactMap { constantRate(step: $0, frames: delays.count) }.first
    }

    /// - Parameter step: milliseconds of each picture.
    /// - Returns: `nil` if a frame is shorter than a picture, or there are too many pictures.
    private func constantRate(step: Int, frames: Int) -> ConstantRate? {
        guard step >= Self.leastStep else { return nil }
        var (time, picture) = (0, 0)
        let counts = shown.map { delay in
            let start = picture
            time += delay
            picture = (time + step / 2) / step
            return picture - start
        }
        let isWhole = zip(shown, counts).allSatisfy { $0 == 0 || $1 > 0 }
        guard isWhole, picture <= Self.mostRepeats * frames + Self.fewPictures else { return nil }
        return ConstantRate(milliseconds: step, pictures: 1, counts: counts)
    }

    private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
        var (larger, smaller) = (first, second)
        while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }
}
