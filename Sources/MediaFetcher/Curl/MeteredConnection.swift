import COpenSSL
import LinuxIO
import NotificationModel

/// The endpoints of a connection, which distinguish it from all other open connections.
struct ConnectionEndpoints: Hashable {
    var localPort: UInt16
    /// The address of the origin or of the proxy, as text.
    var address: String
    var port: UInt16
}

/// A connection of a multi handle, with a count of the bytes that the origin sends over it. Connections that race each
/// other for one transfer (RFC 8305) share one object.
///
/// The records of a TLS connection are counted while libcurl reads them, so that a flood ends before libcurl returns.
/// The bytes of any other connection are counted after each call of libcurl (`MultiHandleDriver`). With HTTP/1.1,
/// libcurl returns after 100 reads.
///
/// The object is used on the thread of its multi handle. A TLS connection of libcurl retains it.
final class MeteredConnection {
    private var detector = FloodDetector()
    /// The number of bytes that libcurl had read from the socket at the last call of `look`.
    private var consumed = 0
    /// The number of response bytes that have reached their transfers since the last call of `look`.
    private var deliveredSinceLook = 0
    /// The number of calls of libcurl for this connection since the last call of `look`.
    private var callsSinceLook = 0
    private static let callsBetweenLooks = 8
    private static let longCall = Duration.milliseconds(1)
    private(set) var isSecure = false
    /// The endpoints; `nil` until the connection carries a request.
    var endpoints: ConnectionEndpoints?
    /// A callback for each time that the connection receives bytes while it is flooded.
    private let reportFlood: () -> Void

    init(reportFlood: @escaping () -> Void) { self.reportFlood = reportFlood }

    var isFlooded: Bool { detector.isFlooded }

    /// The failure of each transfer on a flooded connection.
    static let flood = MediaFailure(
        .connectionLost, "the origin sent more than \(FloodDetector.allowance / 1024) KiB that belong to no response")

    func begin() { detector.begin() }

    func end(missing: Int?) { detector.end(missing: missing) }

    func delivered(_ count: Int) {
        if isSecure { detector.delivered(count) } else { deliveredSinceLook += count }
    }

    /// Counts received bytes, and returns whether the connection is flooded.
    func received(_ count: Int, delivered: Int = 0) -> Bool {
        guard detector.received(count, delivered: delivered) else { return false }
        reportFlood()
        return true
    }

    /// Counts a passed-on part of a body, with its size on the wire, and returns whether the connection is flooded.
    func handedOver(_ count: Int, wireCount: Int) -> Bool {
        delivered(wireCount)
        return detector.handedOver(count)
    }

    /// Counts the bytes that libcurl has read from a socket without TLS, after some calls of libcurl and after each
    /// long one. With a count after each call, 256 simultaneous downloads took 1.38 times the processor time of curl.
    /// Without any count, they took 1.21 times the processor time of curl (`fetch-bench`, HTTP/1.1).
    func look(at socket: Int32, after duration: Duration) {
        callsSinceLook += 1
        guard !isSecure, callsSinceLook >= Self.callsBetweenLooks || duration >= Self.longCall else { return }
        callsSinceLook = 0
        guard let consumed = SocketFacts.consumedBytes(of: socket), consumed > self.consumed else { return }
        _ = received(consumed - self.consumed, delivered: deliveredSinceLook)
        (self.consumed, deliveredSinceLook) = (consumed, 0)
    }

    /// Counts the records of the TLS connections that an `SSL_CTX` makes; returns `false` if OpenSSL has no memory.
    func meter(_ connections: OpaquePointer) -> Bool {
        guard Self.slot >= 0 else { return false }
        let context = unsafe Unmanaged.passRetained(self)
        guard unsafe SSL_CTX_set_ex_data(connections, Self.slot, context.toOpaque()) == 1 else {
            unsafe context.release()
            return false
        }
        isSecure = true
        unsafe agd_see_records(connections, receiveRecord, context.toOpaque())
        return true
    }

    /// The index of this object in an `SSL_CTX`, which releases the object at its end.
    private static let slot = unsafe CRYPTO_get_ex_new_index(
        CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil, releaseConnection)
}
