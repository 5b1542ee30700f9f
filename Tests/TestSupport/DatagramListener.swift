import Glibc
import LinuxIO

/// A listening Unix datagram socket, like that of a service manager or of a journal.
package final class DatagramListener: Sendable {
    private let socket: OwnedDescriptor

    /// Creates and binds the socket.
    ///
    /// - Parameter path: A path; `@` begins a name in the abstract namespace.
    package init(path: String) throws {
        socket = try .adopt(
            Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0), from: "socket")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.hasPrefix("@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + bytes.count } ?? 0)
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.raw, $0, length) }
        }
        guard result == 0 else { throw SystemError.last("bind \(path)") }
    }

    /// Returns the next message as text; empty if no message has arrived.
    package func next() -> String { String(decoding: read(Int32(MSG_DONTWAIT)), as: UTF8.self) }

    /// Waits for the next message.
    package func message() -> [UInt8] { read(0) }

    private func read(_ flags: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = recv(socket.raw, &bytes, bytes.count, flags)
        return Array(bytes.prefix(max(0, count)))
    }
}
