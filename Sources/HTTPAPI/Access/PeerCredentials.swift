import Glibc
import NIOCore

/// Who is at the other end of a unix socket, as the kernel noted when it connected (`SO_PEERCRED`, unix(7)).
///
/// The layout of `struct ucred`, which Glibc's module does not import.
struct PeerCredentials: Sendable, Equatable {
    var processID: Int32
    var userID: UInt32
    var groupID: UInt32

    /// `nil` where the channel is no unix socket, or has been closed.
    static func read(from channel: any Channel) -> EventLoopFuture<PeerCredentials?> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(nil)
        }
        let future: EventLoopFuture<PeerCredentials> = provider.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return future.map(Optional.some).recover { _ in nil }
    }
}
