import Glibc
package import LinuxIO

/// A port of 127.0.0.1 that accepts no connection. Its descriptors are closed with the object.
package final class DeadPort: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Connections get no answer, because the queue of the listening socket is full.
        case blackHole = "black-hole"
        /// Connections are refused, because no socket listens.
        case refused
    }

    package let port: UInt16
    private let descriptors: [Int32]

    package init(_ kind: Kind) throws(SystemError) {
        var descriptors: [Int32] = []
        do throws(SystemError) {
            let server = try Self.socket(&descriptors)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            guard Self.call({ bind(server, $0, $1) }, on: &address) == 0 else { throw .last("bind") }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(server, $0, &length) }
            }
            guard isNamed == 0 else { throw .last("getsockname") }
            port = UInt16(bigEndian: address.sin_port)
            if kind == .blackHole { try Self.fillQueue(of: server, at: address, &descriptors) }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        self.descriptors = descriptors
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Fills the queue of accepted connections. With a backlog of 0, Linux queues one connection and then drops each
    /// request for another one, so that it looks lost to the client.
    private static func fillQueue(
        of server: Int32, at address: sockaddr_in, _ descriptors: inout [Int32]
    ) throws(SystemError) {
        guard listen(server, 0) == 0 else { throw .last("listen") }
        var address = address
        for _ in 0..<3 {
            let client = try socket(&descriptors)
            // The result is EINPROGRESS, and the connection is completed while the queue has room.
            _ = call({ connect(client, $0, $1) }, on: &address)
        }
    }

    private static func socket(_ descriptors: inout [Int32]) throws(SystemError) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = Glibc.socket(AF_INET, flags, 0)
        guard made >= 0 else { throw .last("socket") }
        descriptors.append(made)
        return made
    }

    private static func call(
        _ function: (UnsafePointer<sockaddr>, socklen_t) -> Int32, on address: inout sockaddr_in
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
