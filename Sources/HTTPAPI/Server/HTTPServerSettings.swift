/// Where the server listens, and what it bounds.
package struct HTTPServerSettings: Sendable {
    package struct TCPAddress: Sendable, Equatable {
        package var host: String
        /// 0: any free one; `onReady` tells which.
        package var port: Int

        package init(host: String = "127.0.0.1", port: Int = 8480) {
            self.host = host
            self.port = port
        }
    }

    package struct UnixSocket: Sendable, Equatable {
        /// At most 107 bytes (`sockaddr_un`).
        package var path: String
        /// Members of this group may connect too: the file is theirs, with mode 0660 instead of 0600.
        package var groupID: UInt32?

        package init(path: String, groupID: UInt32? = nil) {
            self.path = path
            self.groupID = groupID
        }
    }

    package var tcp: TCPAddress?
    package var socket: UnixSocket?
    /// Names besides those of loopback that `Host` may have over TCP, without a port.
    package var hosts: [String] = []
    package var mostBodyBytes = 4 << 20
    /// Bytes of the bodies of all calls of `POST /v1/warm` at a time.
    package var mostWarmingBytes = 16 << 20
    /// A body of `POST /v1/warm` counts as this number of bytes at least, so that there are at most 1,024 such calls.
    package var leastWarmingBytes = 16 << 10
    /// How long a body waits for room.
    package var roomLimit: Duration = .seconds(1)
    /// How long a connection may be silent between requests, or within the head of one.
    package var idleLimit: Duration = .seconds(60)
    /// How long a body may take, from its head on.
    package var bodyLimit: Duration = .seconds(30)
    /// How long a client may take none of what there is for it.
    package var writeLimit: Duration = .seconds(30)
    /// Between the comments that keep an event stream alive.
    package var heartbeat: Duration = .seconds(15)
    /// For each listener; more wait in the kernel's queue until one ends.
    package var mostConnections = 4_096
    /// At a time, over all listeners. One more is refused.
    package var mostEventStreams = 64
    package var threads = 1

    package init(tcp: TCPAddress? = TCPAddress(), socket: UnixSocket? = nil) {
        self.tcp = tcp
        self.socket = socket
    }
    /// Why a server does not start with these settings; `nil`: it does, if the addresses are free.
    package var problem: HTTPServerError? {
        guard tcp != nil || socket != nil else { return .nothingToListenOn }
        if let host = tcp?.host, !LoopbackName.isLoopback(host) { return .notLoopback(host: host) }
        return nil
    }
}

extension HTTPServerSettings.UnixSocket {
    /// What keeps any server from listening on the socket: its name, or another file by that name.
    package var obstacle: HTTPServerError? { SocketFile(path: path, groupID: groupID).obstacle }
}
