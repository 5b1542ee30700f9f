import Glibc
import TestSupport
import Testing

@testable import LinuxIO

/// Tests of the sockets that a service manager passes, with descriptors of this process in their place.
@Suite(.serialized) struct PassedSocketsTests {
    /// The first descriptor of the tests. The tests have fewer than 900 files open.
    private static let first: Int32 = 900

    private static func environment(_ variables: [String: String]) -> (String) -> String? { { variables[$0] } }

    private static func take(
        _ count: Int, names: String? = nil, owner: String = "\(getpid())"
    ) throws(PassedSockets.Refused) -> [PassedSocket] {
        var variables = ["LISTEN_PID": owner, "LISTEN_FDS": "\(count)"]
        variables["LISTEN_FDNAMES"] = names
        return try PassedSockets.take(first: first, environment: environment(variables))
    }

    /// Puts a descriptor at a number of the tests, and closes it after the body.
    private static func with<Value>(
        _ descriptors: [Int32], _ body: () throws -> Value
    ) throws -> Value {
        for (index, descriptor) in descriptors.enumerated() {
            try #require(dup2(descriptor, first + Int32(index)) >= 0)
            close(descriptor)
        }
        defer { for index in descriptors.indices { close(first + Int32(index)) } }
        return try body()
    }

    private static func tcpListener(_ address: String = "127.0.0.1", listens: Bool = true) throws -> (Int32, port: Int)
    {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, address, &place.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && (!listens || listen(descriptor, 8) == 0)
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return (descriptor, Int(UInt16(bigEndian: place.sin_port)))
    }

    private static func unixListener(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
            }
        }
        try #require(isBound)
        return descriptor
    }

    @Test func `a TCP socket and a Unix socket are taken with their addresses and names`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let (tcp, port) = try Self.tcpListener()
        try Self.with([tcp, try Self.unixListener(path)]) {
            let sockets = try Self.take(2, names: "http:api")
            #expect(
                sockets == [
                    PassedSocket(descriptor: Self.first, name: "http", address: .tcp(host: "127.0.0.1", port: port)),
                    PassedSocket(descriptor: Self.first + 1, name: "api", address: .path(path)),
                ])
            for socket in sockets {
                #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
                #expect(fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
            }
        }
    }

    @Test func `variables for another process, or no variables, pass no sockets`() throws {
        #expect(try Self.take(1, owner: "1") == [])
        #expect(try PassedSockets.take(environment: Self.environment([:])) == [])
    }

    @Test(arguments: [
        (["LISTEN_FDS": "x"], "LISTEN_FDS is x"), (["LISTEN_FDS": "-1"], "LISTEN_FDS is -1"),
        (["LISTEN_FDS": "17"], "LISTEN_FDS is 17"), (["LISTEN_FDS": "4000000000"], "LISTEN_FDS is 4000000000"),
        (["LISTEN_FDS": "1", "LISTEN_PID": "me"], "LISTEN_PID is not a number"),
        (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "a:b"], "LISTEN_FDNAMES has 2 names"),
    ]) func `a wrong variable is refused`(_ variables: [String: String], _ words: String) {
        var variables = variables
        variables["LISTEN_PID"] = variables["LISTEN_PID"] ?? "\(getpid())"
        let error = #expect(throws: PassedSockets.Refused.self) {
            _ = try PassedSockets.take(first: Self.first, environment: Self.environment(variables))
        }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    @Test func `a descriptor that is closed, no socket, no stream or not listening is refused with its name`() throws {
        let closed = #expect(throws: PassedSockets.Refused.self) { _ = try Self.take(1) }
        #expect(closed?.description == "descriptor 900 of LISTEN_FDS is not open")
        let file = open("/dev/null", O_RDWR)
        let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let (silent, _) = try Self.tcpListener(listens: false)
        for (descriptor, words) in [
            (file, "is not a socket"), (datagram, "is not a stream socket"), (silent, "is not a listening socket"),
        ] {
            let error = try Self.with([descriptor]) {
                #expect(throws: PassedSockets.Refused.self) { _ = try Self.take(1, names: "api") }
            }
            #expect(error?.description.hasPrefix("descriptor 900 (api) \(words)") == true)
        }
    }
}
