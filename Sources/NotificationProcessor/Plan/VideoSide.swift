import Primitives

/// The longest side of a message's video. The masks wait for it, because a mask must not be larger.
final class VideoSide: Sendable {
    private let side = Guarded<Int?>(nil)
    private let ended = AsyncEvent()

    /// Reports that the video is prepared.
    ///
    /// - Parameter side: The longest side, in pixels; `nil` if there is no video.
    func end(with side: Int?) {
        self.side.withLock { $0 = side }
        ended.signal()
    }

    /// Waits for the video, and returns its longest side, in pixels; `nil` without a video, or if cancelled.
    func wait() async -> Int? {
        await ended.wait()
        return side.withLock { $0 }
    }
}
