import Base
import Glibc
import Logging
import NIOCore
import NIOPosix
import NotificationModel
import ServiceLifecycle
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct ServerLifeTests {
    private static func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `the socket permits only its owner, and is removed when the server ends`() async throws {
        let path = try await ServerBench.run { bench in
            #expect(Self.mode(bench.socketPath) == 0o600)
            return bench.socketPath
        }
        #expect(access(path, F_OK) != 0)
    }

    @Test func `a connection that no task serves is closed when the shutdown begins`() async throws {
        let draining = AsyncEvent()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                _ = OpeningConnection(channel, until: draining)
                return channel.eventLoop.makeSucceededVoidFuture()
            }.bind(host: "127.0.0.1", port: 0).get()
        defer { listener.close(promise: nil) }
        try await RawConnection.open(to: .tcp(#require(listener.localAddress?.port))) { connection in
            draining.signal()
            await #expect(throws: RawConnection.EndedEarly.self) { try await connection.read(1) }
        }
    }

    @Test func `a configured group may use the socket`() async throws {
        try await ServerBench.run(HTTPServerSettings(socket: .init(path: "", groupID: getegid()))) { bench in
            #expect(Self.mode(bench.socketPath) == 0o660)
        }
    }

    @Test func `the socket of a killed daemon is replaced`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        try StaleSocket.make(at: path)
        try await ServerBench.run(HTTPServerSettings(socket: .init(path: path))) { bench in
            let status = try await DaemonClient(socketPath: path).request("GET", "/healthz").status
            #expect(status == 200)
        }
    }

    @Test func `a second daemon does not take the socket of the first daemon`() async throws {
        try await ServerBench.run { bench in
            let second = try ServerBench.idle(HTTPServerSettings(tcp: nil, socket: .init(path: bench.socketPath)))
            await #expect(throws: HTTPServerError.socketInUse(path: bench.socketPath)) { try await second.run() }
            let status = try await DaemonClient(socketPath: bench.socketPath).request("GET", "/healthz").status
            #expect(status == 200)
        }
    }

    @Test func `the error of a port in use names the port, and the server removes its socket`() async throws {
        let directory = try TemporaryDirectory()
        try await ServerBench.run { bench in
            let path = directory.path + "/second"
            let second = try ServerBench.idle(
                HTTPServerSettings(tcp: .init(port: bench.port), socket: .init(path: path)))
            let error = await #expect(throws: HTTPServerError.self) { try await second.run() }
            #expect(error?.description.hasPrefix("cannot listen on 127.0.0.1, port \(bench.port): ") == true)
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func `the server does not remove a file at its socket path that is not a socket`() async throws {
        let directory = try TemporaryDirectory()
        let server = try ServerBench.idle(HTTPServerSettings(tcp: nil, socket: .init(path: directory.path)))
        let error = await #expect(throws: HTTPServerError.self) { try await server.run() }
        #expect(error?.description.contains("another file has this name") == true)
        #expect(access(directory.path, F_OK) == 0)
    }

    @Test func `a server fails to start if its socket path is too long`() async throws {
        let path = "/tmp/" + String(repeating: "a", count: 110)
        let server = try ServerBench.idle(HTTPServerSettings(tcp: nil, socket: .init(path: path)))
        let error = await #expect(throws: HTTPServerError.self) { try await server.run() }
        #expect(error?.description.contains("limit is 107") == true)
    }

    @Test func `a cancelled server ends at once even if a caller waits for a result`() async throws {
        let coordinator = FakeCoordinator()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = try ServerBench.idle(HTTPServerSettings(tcp: .init(port: 0)), coordinator: coordinator) {
            port.yield($0.port ?? 0)
        }
        let running = Task { try await server.run() }
        for await place in ports {
            try await RawConnection.open(to: .tcp(place)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
                await coordinator.wait { $0.waits == 1 }
                running.cancel()
                _ = await connection.readToEnd()
            }
            break
        }
        _ = await running.result
        #expect(coordinator.waitsLeft == 1)
    }

    @Test func `a server that has ended leaves no descriptors and no threads`() async throws {
        // The first run creates the descriptors and threads that stay for the life of the process.
        try await ServerBench.run { bench in _ = try await bench.send("GET", "/healthz") }
        let before = LeakCensus.take()
        for _ in 0..<5 {
            try await ServerBench.run { bench in
                try await RawConnection.open(to: .tcp(bench.port)) { connection in
                    try await connection.send(
                        "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
                    await bench.coordinator.wait { $0.waits == 1 }
                }
            }
        }
        let after = LeakCensus.take()
        #expect(after.descriptors == before.descriptors)
        #expect(after.threads <= before.threads)
    }
}
