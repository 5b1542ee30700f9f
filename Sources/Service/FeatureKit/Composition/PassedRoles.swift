import Base
package import HTTPAPI
package import LinuxIO
package import ServiceConfiguration

/// The uses of the sockets that a service manager passes (socket activation).
///
/// A Unix socket has the place of `socket`, and a TCP socket that of `listen`. A TCP socket with the name `metrics`
/// (`FileDescriptorName=metrics`) has the place of `http.metricsListen`. The places that no socket has are bound as the
/// configuration says. Another use of a socket is refused, because connections to it would never be answered.
package struct PassedRoles: Sendable {
    package private(set) var tcp: HTTPServerSettings.TCPAddress?
    package private(set) var monitoring: HTTPServerSettings.TCPAddress?
    package private(set) var socket: (path: String, descriptor: Int32)?

    package init() {}

    /// - Throws: `HTTPServerError.passed` with a sentence about a socket that has no use.
    package init(_ sockets: [PassedSocket], _ configuration: Configuration) throws(HTTPServerError) {
        for socket in sockets {
            switch socket.address {
            case .tcp(let host, let port): try take(socket, host: host, port: port)
            case .path(let path): try take(socket, path: path, configured: configuration.socket)
            }
        }
    }

    private mutating func take(_ socket: PassedSocket, host: String, port: Int) throws(HTTPServerError) {
        var address = HTTPServerSettings.TCPAddress(host: host, port: port)
        address.descriptor = socket.descriptor
        let place = HostAndPort.text(host, port)
        if socket.name == "metrics" {
            guard monitoring == nil else { throw .passed("\(place): another socket also has the name metrics") }
            monitoring = address
        } else {
            guard tcp == nil else {
                throw .passed(
                    "\(place): another TCP socket is passed: put one of them into a unit with FileDescriptorName=metrics"
                )
            }
            tcp = address
        }
    }

    private mutating func take(_ passed: PassedSocket, path: String, configured: String) throws(HTTPServerError) {
        guard socket == nil else { throw .passed("\(path): another Unix socket is passed: pass one of them") }
        guard path.hasPrefix("/") else {
            throw .passed("a Unix socket without an absolute path: pass ListenStream=\(configured)")
        }
        guard Self.isSame(path, configured) else {
            throw .passed(
                "\(path) is not the socket of the configuration (\(configured)), where commands look for the daemon: "
                    + "set socket: \(path), or ListenStream=\(configured)")
        }
        socket = (path, passed.descriptor)
    }

    /// Returns whether two paths name one file.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard let one = try? FileIdentity(of: one), let other = try? FileIdentity(of: other) else { return false }
        return one == other
    }
}
