import Base
import NIOCore

/// A text that calls at the same time share. Each call gets a text whose making began after the call, so that it has all
/// that happened before.
final class SharedRendering: Sendable {
    private struct State {
        var running: Task<ByteBuffer, Never>?
        /// The rendering that begins after the running one, for the calls since its beginning.
        var next: Task<ByteBuffer, Never>?
    }

    private let render: @Sendable () -> String
    private let state = Guarded(State())

    init(_ render: @escaping @Sendable () -> String) { self.render = render }

    /// Returns the text. A cancelled call waits for it too.
    func text() async -> ByteBuffer {
        let task = state.withLock { state in
            if let next = state.next { return next }
            let earlier = state.running
            let task = Task {
                _ = await earlier?.value
                if earlier != nil { begin() }
                let text = ByteBuffer(string: render())
                end()
                return text
            }
            if earlier == nil { state.running = task } else { state.next = task }
            return task
        }
        return await task.value
    }

    private func begin() { state.withLock { ($0.running, $0.next) = ($0.next, nil) } }

    private func end() { state.withLock { if $0.next == nil { $0.running = nil } } }
}
