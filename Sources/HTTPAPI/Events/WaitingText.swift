import NIOCore
import NotificationModel

/// What waits to be written to one listener, bounded. Any number of tasks put something in; one takes it, together with
/// what has come meanwhile.
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

    /// One for each time that something is to be taken. Ends after the end.
    let wakes: AsyncStream<Void>

    private let most: Int
    private let longest: Int
    private let state = Guarded(State())
    private let wake: AsyncStream<Void>.Continuation
    private let beginnings: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// - Parameters:
    ///   - most: texts that may wait.
    ///   - longest: bytes that are taken at a time, unless a single text has more.
    init(most: Int, longest: Int) {
        self.most = most
        self.longest = longest
        // One signal stands for all that waits.
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        beginnings = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter isUrgent: to be taken at once. So is what fills a piece; the rest is when ``pace(by:_:)`` says so.
    /// - Returns: whether there was room, and it is not over.
    func put(_ text: ByteBuffer, isUrgent: Bool = false) -> Bool {
        let (isIn, signal) = state.withLock { state in
            guard !state.isOver, state.texts.count < most else { return (false, Signal.none) }
            let wasFull = state.bytes >= longest
            state.texts.append(text)
            state.bytes += text.readableBytes
            if isUrgent || (!wasFull && state.bytes >= longest) { return (true, .now) }
            return (true, state.texts.count == 1 ? .pace : .none)
        }
        switch signal {
        case .none: break
        case .pace: beginnings.continuation.yield()
        case .now: wake.yield()
        }
        return isIn
    }

    /// Wakes who takes: at once after a silence, and then not again before a pause is over, so that what comes in it is
    /// taken together. Until the task is cancelled.
    func pace(by clock: any RequestClock, _ pause: Duration) async {
        for await _ in beginnings.stream {
            wake.yield()
            await clock.sleep(until: clock.now.advanced(by: pause))
        }
    }

    /// Nothing comes any more; what waits is to be taken now.
    func end() {
        state.withLock { $0.isOver = true }
        wake.finish()
    }

    /// What has waited longest, in one piece. The rest wakes again.
    ///
    /// - Returns: `nil` where nothing waits.
    func take() -> ByteBuffer? {
        let (texts, isMore) = state.withLock { state in
            var (count, bytes) = (0, 0)
            for text in state.texts {
                guard count == 0 || bytes + text.readableBytes <= longest else { break }
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
