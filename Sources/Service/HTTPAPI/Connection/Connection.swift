import Base
package import NIOCore

/// The state of one connection, apart from the requests on it.
package final class Connection: Sendable {
    package let channel: any Channel
    /// The process at the other end of a unix socket; `nil` if the connection uses TCP.
    let peer: PeerCredentials?
    /// The address at the other end; `nil` if the connection uses a unix socket.
    let address: IPAddress?
    /// An event that is signalled when the client has closed the connection or its sending half.
    let gone: AsyncEvent
    private let oldHTTP = Guarded(false)
    private let dropping = Guarded(false)
    private let ended = Guarded(false)
    private let receiving = Guarded(false)
    /// The numbers of responses that were made and whose ends were written, and the memory of large ones by their numbers.
    private let held = Guarded((made: 0, written: 0, shares: [Int: ByteShare]()))

    /// Whether the channel is a stream of an HTTP/2 connection. Such a stream has one request, and no header fields about
    /// the connection.
    let isStream: Bool

    /// Whether the connection uses TLS.
    let isSecure: Bool

    /// The refused calls of the connection, or of the connection of the stream.
    let refusals: RefusalCount

    init(
        channel: any Channel, peer: PeerCredentials?, gone: AsyncEvent, isSecure: Bool, isStream: Bool = false,
        refusals: RefusalCount = RefusalCount()
    ) {
        self.channel = channel
        self.peer = peer
        self.gone = gone
        self.isSecure = isSecure
        self.isStream = isStream
        self.refusals = refusals
        address = Self.address(of: isStream ? channel.parent : channel)
    }

    /// Returns the address at the other end. An IPv4 client of an IPv6 listener has its IPv4 address.
    static func address(of channel: (any Channel)?) -> IPAddress? {
        guard let text = channel?.remoteAddress?.ipAddress, let address = IPAddress(text) else { return nil }
        if case .v6(let bits) = address, bits >> 32 == 0xffff { return .v4(UInt32(truncatingIfNeeded: bits)) }
        return address
    }

    /// Whether a request on the connection used HTTP/1.0. HTTP/1.0 has no chunks, and therefore no event streams.
    var speaksOldHTTP: Bool {
        get { oldHTTP.withLock { $0 } }
        set { oldHTTP.withLock { $0 = newValue } }
    }

    /// Whether the rest of the body is discarded as it arrives, on the event loop.
    var dropsBody: Bool {
        get { dropping.withLock { $0 } }
        set { dropping.withLock { $0 = newValue } }
    }

    /// Whether the whole body of the last request has arrived. A stream does not tell this in the head of its request.
    var bodyHasEnded: Bool {
        get { ended.withLock { $0 } }
        set { ended.withLock { $0 = newValue } }
    }

    /// Whether the body of a request arrives while its response is written. Such a client may read nothing until it has
    /// sent the whole body.
    var isReceiving: Bool { receiving.withLock { $0 } }

    /// An event on the channel: the body has arrived, and the client is expected to read from now on.
    struct BodyHasArrived: Sendable {}

    func beginReceiving() { receiving.withLock { $0 = true } }

    func endReceiving() {
        receiving.withLock { $0 = false }
        channel.pipeline.fireUserInboundEventTriggered(BodyHasArrived())
    }

    /// Holds the memory of the next response until its last byte is written. The end of an earlier response may come to
    /// the channel later than this call.
    func hold(_ share: ByteShare?) {
        held.withLock { held in
            if let share { held.shares[held.made] = share }
            held.made += 1
        }
    }

    /// Returns the memory of the response whose end comes to the channel.
    func takeHeld() -> ByteShare? {
        held.withLock { held in
            guard held.written < held.made else { return nil }
            held.written += 1
            return held.shares.isEmpty ? nil : held.shares.removeValue(forKey: held.written - 1)
        }
    }

    func close() { channel.close(promise: nil) }

    /// Schedules the closing of the connection after a time. The caller may cancel the returned task before.
    package func close(after limit: Duration) -> Scheduled<Void> {
        let channel = channel
        return channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
    }
}
