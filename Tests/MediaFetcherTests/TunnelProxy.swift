import Base
import Foundation
import Glibc
import LinuxIO
import MediaFetcher
import NotificationModel

/// A proxy on the loopback interface that opens every requested tunnel to the port on this machine, and records the
/// requests.
final class TunnelProxy: Sendable {
    private let listener: LoopbackListener
    private let heads = Guarded<[String]>([])

    /// Starts to listen on a new thread, until `stop`. Each tunnel has its own thread, which ends with the connection.
    init() throws {
        listener = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: true)
        Thread { [self] in serve() }.start()
    }

    var port: UInt16 { listener.port }
    /// The received requests as text.
    var requests: [String] { heads.withLock { $0 } }
    /// The targets of the requests, such as `127.0.0.1:443`.
    var targets: [String] {
        requests.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    /// Returns the settings of a fetcher that uses this proxy.
    func egress(
        _ host: String = "127.0.0.1", credentials: String? = nil, bypass: [String] = [], resolvesNames: Bool = false
    ) -> EgressProxy {
        EgressProxy(
            ProxyEndpoint(host: host, port: port, credentials: credentials), bypass: ProxyBypass(bypass),
            resolvesNames: resolvesNames)
    }

    /// Ends the thread, which has the last reference to the listener.
    func stop() { shutdown(listener.descriptor.raw, Int32(SHUT_RDWR)) }

    private func serve() {
        while case let connection = accept(listener.descriptor.raw, nil, nil), connection >= 0 {
            Thread { [self] in
                open(connection)
                close(connection)
            }.start()
        }
    }

    private func open(_ client: Int32) {
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("\r\n\r\n"), recv(client, &byte, 1, 0) == 1 { head.unicodeScalars.append(.init(byte)) }
        heads.withLock { $0.append(head) }
        let target = head.split(separator: " ").dropFirst().first ?? ""
        let origin = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(origin) }
        guard head.hasPrefix("CONNECT "), let port = target.split(separator: ":").last.flatMap({ UInt16($0) }),
            Self.connects(origin, to: port)
        else { return Self.send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", to: client) }
        Self.send("HTTP/1.1 200 Connection established\r\nX-Proxy: test\r\n\r\n", to: client)
        Self.relay(client, origin)
    }

    private static func connects(_ descriptor: Int32, to port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = LoopbackAddress(0, 0, 1).number.bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func send(_ text: String, to client: Int32) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Copies bytes in both directions, until both sides have ended their stream or one has reset its connection. A
    /// connection that is closed with unread bytes is reset, which would discard the last bytes of the other direction.
    private static func relay(_ one: Int32, _ other: Int32) {
        var ends = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while ends.contains(where: { $0.fd >= 0 }), poll(&ends, 2, -1) > 0 {
            for (index, target) in [other, one].enumerated() where ends[index].fd >= 0 && ends[index].revents != 0 {
                let count = recv(ends[index].fd, &bytes, bytes.count, 0)
                if count < 0 { return }
                if count == 0 {
                    shutdown(target, Int32(SHUT_WR))
                    ends[index].fd = -1
                }
                var sent = 0
                while sent < count {
                    let written = bytes.withUnsafeBytes {
                        Glibc.send(target, $0.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { return }
                    sent += written
                }
            }
        }
    }
}
