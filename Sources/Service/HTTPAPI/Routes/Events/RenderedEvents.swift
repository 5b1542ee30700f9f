import Base
import NIOCore
import NotificationModel

/// The texts of the last events, which all streams share. The first stream that sends an event renders it, so no text
/// is rendered without a listener.
final class RenderedEvents: Sendable {
    /// The minimum number of cached texts. At most twice this number of texts is cached. A slower stream renders its
    /// older texts again.
    static let capacity = 512

    private struct State {
        var newer: [String: ByteBuffer] = [:]
        var older: [String: ByteBuffer] = [:]
    }

    private let state = Guarded(State())
    private let render: @Sendable (RequestEvent) -> String

    init(render: @escaping @Sendable (RequestEvent) -> String = { EventText.text(of: $0) }) { self.render = render }

    func text(of event: RequestEvent) -> ByteBuffer {
        // The text is rendered under the lock, which is held briefly. A concurrent caller would otherwise render it
        // too.
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
