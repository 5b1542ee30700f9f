import Glibc
import LinuxIO

/// A TCP connection, on which a length precedes each message (RFC 1035 §4.2.2).
final class StreamConnection {
    /// The socket; `nil` after the end of the connection.
    private var socket: OwnedDescriptor?
    /// The received bytes that do not form a whole message yet.
    private var bytes: [UInt8] = []

    init(adopting socket: Int32) {
        self.socket = OwnedDescriptor(adopting: socket)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }

    /// Reads the bytes that have arrived.
    ///
    /// - Returns: `false` if the connection has ended.
    func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 2_048)
        let count = recv(socket?.raw ?? -1, &buffer, buffer.count, 0)
        bytes += buffer.prefix(max(0, count))
        return count > 0
    }

    func next() -> [UInt8]? {
        guard bytes.count >= 2 else { return nil }
        let end = 2 + Int(bytes[0]) << 8 + Int(bytes[1])
        guard bytes.count >= end else { return nil }
        defer { bytes.removeFirst(end) }
        return Array(bytes[2..<end])
    }

    func send(_ message: [UInt8]) {
        let whole = DNSQuestion.bytes(UInt16(message.count)) + message
        _ = Glibc.send(socket?.raw ?? -1, whole, whole.count, Int32(MSG_NOSIGNAL))
    }

    func end() { socket = nil }
}
