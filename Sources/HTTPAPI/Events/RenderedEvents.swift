import NIOCore
import NotificationModel

/// The texts of the last events, which all streams share: each is made once, by the first stream that tells it, and none
/// while nobody listens.
final class RenderedEvents: Sendable {
    /// So many are kept at least, and twice as many at most. A stream that is further behind has its texts made anew.
    static let capacity = 512

    private struct State {
        var newer: [String: ByteBuffer] = [:]
        var older: [String: ByteBuffer] = [:]
    }

    private let state = Guarded(State())
    private let render: @Sendable (RequestEvent) -> String

    init(render: @escaping @Sendable (RequestEvent) -> String = { EventText.text(of: $0) }) { self.render = render }

    func text(of event: RequestEvent) -> ByteBuffer {
        // Made under the lock, which is short: who asks meanwhile would make it too.
        state.withLock { state in
            if let text = state.newer[event.id] ?? state.older[event.id] { return text }
            if state.newer.count == Self.capacity {
                state.older = state.newer
                state.newer = [:]
            }
            let text = ByteBuffer(string: render(event))
            state.newer[event.id] = text
            return text
        }
    }
}
