/// The time that each frame of an animation is shown, as players show it.
package struct AnimationTimes: Sendable, Equatable {
    /// Frames that are listed. More are counted only.
    static let mostListed = 65_536
    /// Browsers show a frame with a delay of at most 10 ms for 100 ms.
    private static let mostIgnored = 10_000
    private static let usual = 100_000
    /// A frame that is shown longer is beyond every limit.
    private static let longest = 1 << 40

    /// Milliseconds of each frame. Fractions are carried over to the next frame.
    package private(set) var delays: [Int] = []
    /// Frames of the file.
    package private(set) var count = 0
    private var microseconds = 0

    package init() {}

    /// Adds a frame whose file asks for a delay in microseconds.
    mutating func append(microseconds delay: Int) {
        count = count.addedOrMax(1)
        guard delays.count < Self.mostListed else { return }
        let before = (microseconds + 500) / 1_000
        microseconds += delay <= Self.mostIgnored ? Self.usual : min(delay, Self.longest)
        delays.append((microseconds + 500) / 1_000 - before)
    }

    /// Adds frames that are all shown equally long.
    mutating func append(_ frames: Int, microseconds delay: Int) {
        let listed = min(frames, Self.mostListed - delays.count)
        for _ in 0..<max(0, listed) { append(microseconds: delay) }
        count = count.addedOrMax(max(0, frames - max(0, listed)))
    }

    /// Returns the delays of the first frames that end within both limits. The first frame is always among them.
    package func kept(mostFrames: Int, mostMilliseconds: Int) -> [Int] {
        var end = 0
        for (index, delay) in delays.enumerated() {
            end += delay
            if index > 0, index >= mostFrames || end > mostMilliseconds { return Array(delays[..<index]) }
        }
        return delays
    }
}
