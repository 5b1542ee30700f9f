import Base
import NIOCore

/// A connection that no task serves yet, for example because its TLS handshake is in progress.
///
/// Such a connection is closed when the shutdown begins. No task would close it later: a listener that has ended drops
/// the connections that it has accepted and not handed over.
struct OpeningConnection: Sendable {
    private let draining: AsyncEvent
    private let closing: Int

    /// - Parameter draining: An event that is signalled when the shutdown begins.
    init(_ channel: any Channel, until draining: AsyncEvent) {
        let closing = draining.whenSignalled { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in draining.forget(closing) }
        (self.draining, self.closing) = (draining, closing)
    }

    /// Hands the connection over to a task, which closes it.
    func serve() { draining.forget(closing) }
}
