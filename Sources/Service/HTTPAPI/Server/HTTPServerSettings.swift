package import Base

/// The addresses of the server, and its limits.
package struct HTTPServerSettings: Sendable {
    package struct TCPAddress: Sendable, Equatable {
        package var host: String
        /// The port to listen on. 0 means any free port, which `onReady` reports.
        package var port: Int
        /// The descriptor of a listening socket that the service manager has passed; `nil` if the server binds one.
        package var descriptor: Int32?

        package init(host: String = "127.0.0.1", port: Int = 8480) {
            self.host = host
            self.port = port
        }

        /// Whether only programs on this machine can reach the address.
        package var isLoopback: Bool { LoopbackName.isLoopback(host) }
    }

    package struct UnixSocket: Sendable, Equatable {
        /// The path of the socket, at most 107 bytes (`sockaddr_un`).
        package var path: String
        /// The group whose members may connect. This group owns the file, which then has mode 0660. If `nil`, no group
        /// may connect, and the file has mode 0600.
        package var groupID: UInt32?
        /// The descriptor of a listening socket that the service manager has passed; `nil` if the server makes one. The
        /// manager owns the file of a passed socket.
        package var descriptor: Int32?

        package init(path: String, groupID: UInt32? = nil) {
            self.path = path
            self.groupID = groupID
        }
    }

    package var tcp: TCPAddress?
    package var socket: UnixSocket?
    /// Whether callers over TCP need a bearer token. A TCP address that other machines can reach needs this.
    package var needsToken = false
    /// The address of the listener that serves only metrics and health checks, to all callers.
    package var monitoring: TCPAddress?
    /// The certificate of the TCP address; `nil` if it serves HTTP without TLS.
    package var certificate: ServerCertificate?
    /// The proxies whose fields about their clients are believed.
    package var trustedProxies: [AddressRange] = []
    package var maxBodyBytes = 4 << 20
    /// The maximum number of bytes of large responses that wait for their clients. A caller can have a quarter of them.
    package var maxResponseBytes = 96 << 20
    /// The maximum size of the bodies of all concurrent calls of `POST /v1/warm`, in bytes.
    package var maxWarmingBytes = 16 << 20
    /// The minimum number of bytes that are leased for a body of `POST /v1/warm`, so that at most 1,024 such calls run.
    package var minWarmingBytes = 16 << 10
    /// The time for which a body waits for memory.
    package var memoryWait: Duration = .seconds(1)
    /// The time for which a connection may be silent between requests, or within the head of a request.
    package var idleLimit: Duration = .seconds(60)
    /// The time in which a client must end its TLS handshake.
    package var handshakeLimit: Duration = .seconds(10)
    /// The time in which a body must arrive after the head of its request.
    package var bodyLimit: Duration = .seconds(30)
    /// The time after which a connection is closed if its client reads none of the bytes that wait for it.
    package var writeLimit: Duration = .seconds(30)
    /// The time between the comments that keep an event stream alive.
    package var heartbeat: Duration = .seconds(15)
    /// The maximum number of connections of each listener. Further connections wait in the kernel's queue until a
    /// connection ends.
    package var maxConnections = 4_096
    /// The maximum number of open HTTP/2 streams of all connections. A further stream is refused (REFUSED_STREAM), so its
    /// client can repeat the request. A stream takes about 17 KB of memory, also while its client reads nothing.
    package var maxStreams = 4_096
    /// The maximum number of concurrent event streams of all listeners. A further stream is refused.
    package var maxEventStreams = 64
    /// The maximum number of concurrent batches whose callers wait. A further batch is refused.
    package var maxBatches = 64
    package var threads = 1

    package init(tcp: TCPAddress? = TCPAddress(), socket: UnixSocket? = nil) {
        self.tcp = tcp
        self.socket = socket
    }

    /// Whether the service manager keeps a socket open, so that the next daemon accepts the connections that wait.
    package var hasPassedSockets: Bool {
        tcp?.descriptor != nil || socket?.descriptor != nil || monitoring?.descriptor != nil
    }

    /// Whether only programs on this machine can reach the API.
    package var isLocal: Bool { tcp?.isLoopback != false }

    /// The error that keeps a server from starting with these settings; `nil` if it can start on free addresses.
    package var problem: HTTPServerError? {
        guard tcp != nil || socket != nil else { return .nothingToListenOn }
        if let tcp, !needsToken, !tcp.isLoopback { return .notLoopback(host: tcp.host) }
        return nil
    }
}

extension HTTPServerSettings.UnixSocket {
    /// The error that keeps any server from listening on the socket; `nil` if there is no such error. The error is a
    /// path that is too long, or a path that belongs to another file.
    package var obstacle: HTTPServerError? { SocketFile(path: path, groupID: groupID).obstacle }
}
