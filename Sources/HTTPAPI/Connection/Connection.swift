import NIOCore
import NotificationModel

/// What is known of one connection, beside the requests on it.
final class Connection: Sendable {
    let channel: any Channel
    /// On a unix socket.
    let peer: PeerCredentials?
    /// The client has closed, or has said that it sends nothing any more.
    let gone: AsyncEvent
    private let oldHTTP: Guarded<Bool>
    private let dropping = Guarded(false)

    init(channel: any Channel, peer: PeerCredentials?, gone: AsyncEvent) {
        self.channel = channel
        self.peer = peer
        self.gone = gone
        oldHTTP = Guarded(false)
    }

    /// Whether a request has said HTTP/1.0: then there are no chunks, and so no event streams.
    var speaksOldHTTP: Bool {
        get { oldHTTP.withLock { $0 } }
        set { oldHTTP.withLock { $0 = newValue } }
    }

    /// Whether the rest of the body is dropped as it arrives, on the event loop.
    var dropsBody: Bool {
        get { dropping.withLock { $0 } }
        set { dropping.withLock { $0 = newValue } }
    }

    func close() { channel.close(promise: nil) }

    /// Closes the connection after a time, unless the returned one is cancelled before.
    func close(after limit: Duration) -> Scheduled<Void> {
        let channel = channel
        return channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
    }
}
