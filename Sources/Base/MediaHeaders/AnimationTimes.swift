/// The time for which players show each frame of an animation.
package struct AnimationTimes: Sendable, Equatable {
    /// The maximum number of frames that are listed. Later frames are only counted.
    static let maxListed = 65_536
    /// The longest delay that is replaced, in microseconds. Browsers show such a frame for 100 ms.
    private static let maxIgnored = 10_000
    private static let usual = 100_000
    /// The longest delay that is counted, in microseconds: about 12 days, which is beyond all limits.
    private static let maxDelay = 1 << 40

    /// The delays of the listed frames, in milliseconds. A fraction is added to the next frame's delay.
    package private(set) var delays: [Int] = []
    /// The number of frames of the file, including those that are not listed.
    package private(set) var count = 0
    private var microseconds = 0

    package init() {}

    /// Adds a frame with the delay that its file states, in microseconds.
    mutating func append(microseconds delay: Int) {
        count = count.addedOrMax(1)
        guard delays.count < Self.maxListed else { return }
        let before = (microseconds + 500) / 1_000
        microseconds += delay <= Self.maxIgnored ? Self.usual : min(delay, Self.maxDelay)
        delays.append((microseconds + 500) / 1_000 - before)
    }

    /// Adds a number of frames with the same delay, in microseconds.
    mutating func append(_ frames: Int, microseconds delay: Int) {
        let listed = min(frames, Self.maxListed - delays.count)
        for _ in 0..<max(0, listed) { append(microseconds: delay) }
        count = count.addedOrMax(max(0, frames - max(0, listed)))
    }

    /// Returns the delays of the first frames that end within both limits, in milliseconds; always the first one.
    package func kept(maxFrames: Int, maxMilliseconds: Int) -> [Int] {
        var end = 0
        for (index, delay) in delays.enumerated() {
            end += delay
            if index > 0, index >= maxFrames || end > maxMilliseconds { return Array(delays[..<index]) }
        }
        return delays
    }
}
