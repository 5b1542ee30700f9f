import Base
import Glibc
import LinuxIO
import NotificationModel
import TestSupport

/// A datagram socket like that of a service manager (`NOTIFY_SOCKET`).
final class NotifySocket: Sendable {
    let path: String
    private let socket: OwnedDescriptor

    init(path: String) throws {
        self.path = path
        socket = try .adopt(
            Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0), from: "socket")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError.last("bind \(path)") }
    }

    /// Returns the next message; empty if no message has arrived.
    func next() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(socket.raw, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Waits for a message that has a line, and returns its lines.
    func message(with line: String) async throws -> [String] {
        let found = Guarded<[String]>([])
        try await wait(for: line) {
            let lines = try next().split(separator: "\n").map(String.init)
            guard lines.contains(line) else { return false }
            found.withLock { $0 = lines }
            return true
        }
        return found.withLock(\.self)
    }
}
