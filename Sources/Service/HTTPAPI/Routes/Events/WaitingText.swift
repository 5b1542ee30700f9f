import Base
import NIOCore
import NotificationModel

/// The bounded queue of texts that wait to be written to one listener. Any number of tasks add texts. One task takes a
/// text together with the texts that were added since.
final class WaitingText: Sendable {
    private struct State {
        var texts: [ByteBuffer] = []
        var bytes = 0
        var isOver = false
    }

    private enum Signal {
        case none
        case pace
        case now
    }

    /// The signals to take texts. At most one is buffered, and the stream finishes after `end`.
    let wakes: AsyncStream<Void>

    private let most: Int
    private let maxLength: Int
    private let state = Guarded(State())
    private let wake: AsyncStream<Void>.Continuation
    private let beginnings: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// - Parameter most: The maximum number of texts that wait.
    /// - Parameter longest: The maximum number of bytes that are taken at a time, unless a single text is longer.
    init(most: Int, maxLength: Int) {
        self.most = most
        self.maxLength = maxLength
        // One signal stands for all waiting texts.
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        beginnings = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a text to the queue.
    ///
    /// - Parameter isUrgent: Whether the text is to be taken at once. A text that fills a piece is also taken at once.
    ///   Other texts are taken when ``pace(by:_:)`` signals.
    /// - Returns: Whether the text was added. The result is `false` if the queue is full or has ended.
    func put(_ text: ByteBuffer, isUrgent: Bool = false) -> Bool {
        let (isIn, signal) = state.withLock { state in
            guard !state.isOver, state.texts.count < most else { return (false, Signal.none) }
            let wasFull = state.bytes >= maxLength
            state.texts.append(text)
            state.bytes += text.readableBytes
            if isUrgent || (!wasFull && state.bytes >= maxLength) { return (true, .now) }
            return (true, state.texts.count == 1 ? .pace : .none)
        }
        switch signal {
        case .none: break
        case .pace: beginnings.continuation.yield()
        case .now: wake.yield()
        }
        return isIn
    }

    /// Signals the taker at once after a pause without texts, and then at most once for each pause. Therefore, the
    /// texts of one pause are taken together. The function runs until the task is cancelled.
    func pace(by clock: any RequestClock, _ pause: Duration) async {
        for await _ in beginnings.stream {
            wake.yield()
            await clock.sleep(until: clock.now.advanced(by: pause))
        }
    }

    /// Ends the queue: no more texts are added, and the waiting texts are to be taken now.
    func end() {
        state.withLock { $0.isOver = true }
        wake.finish()
    }

    /// Takes the texts that have waited longest, as one piece. If more texts wait, the taker is signalled again.
    ///
    /// - Returns: `nil` if no text waits.
    func take() -> ByteBuffer? {
        let (texts, isMore) = state.withLock { state in
            var (count, bytes) = (0, 0)
            for text in state.texts {
                guard count == 0 || bytes + text.readableBytes <= maxLength else { break }
                bytes += text.readableBytes
                count += 1
            }
            let texts = Array(state.texts.prefix(count))
            state.texts.removeFirst(count)
            state.bytes -= bytes
            return (texts, !state.texts.isEmpty)
        }
        if isMore { wake.yield() }
        guard var piece = texts.first else { return nil }
        for text in texts.dropFirst() { piece.writeImmutableBuffer(text) }
        return piece
    }
}
