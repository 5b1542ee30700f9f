import Base
import Glibc
import Logging
import NIOCore
import NIOPosix
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of servers on a socket that another process, such as a service manager, has bound.
@Suite(.timeLimit(.minutes(1))) struct PassedListenerTests {
    private struct NeverBound: Error {}

    /// A listening socket that stays open while servers come and go.
    private struct Listener: ~Copyable {
        let descriptor: Int32
        let port: Int

        init() throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &place) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                        && getsockname(descriptor, $0, &length) == 0
                }
            }
            guard isBound else { throw NeverBound() }
            self.descriptor = descriptor
            port = Int(UInt16(bigEndian: place.sin_port))
        }

        deinit { close(descriptor) }

        /// Returns settings with a descriptor of the socket, which the server closes.
        func settings() -> HTTPServerSettings {
            var settings = HTTPServerSettings(tcp: .init(port: port))
            settings.tcp?.descriptor = dup(descriptor)
            return settings
        }
    }

    private static let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test func `a connection from before the start is answered after the server is opened`() async throws {
        let listener = try Listener()
        let server = try ServerBench.idle(listener.settings())
        try await RawConnection.open(to: .tcp(listener.port)) { early in
            try await early.send(Self.request)
            let running = Task { try await server.run() }
            server.open()
            let answer = try await early.readAnswer()
            #expect(answer.status == 200)
            running.cancel()
            _ = await running.result
        }
    }

    @Test func `a connection after the handover is answered by the next server, and the earlier one goes on`()
        async throws
    {
        let listener = try Listener()
        let first = try ServerBench.idle(listener.settings())
        let running = Task { try await first.run() }
        first.open()
        try await RawConnection.open(to: .tcp(listener.port)) { early in
            try await early.send(Self.request)
            let answer = try await early.readAnswer()
            #expect(answer.status == 200 && answer["connection"] != "close")
            let handover = Task { await first.handOver() }
            // The accepted connection still has an answer, which is the last one.
            try await wait(for: "the handover") {
                try await early.send(Self.request)
                return try await early.readAnswer()["connection"] == "close"
            }
            try await RawConnection.open(to: .tcp(listener.port)) { late in
                try await late.send(Self.request)
                await handover.value
                let second = try ServerBench.idle(listener.settings())
                let next = Task { try await second.run() }
                second.open()
                let answer = try await late.readAnswer()
                #expect(answer.status == 200)
                next.cancel()
                _ = await next.result
            }
        }
        running.cancel()
        _ = await running.result
    }

    @Test func `an event loop that runs answers, and a server that has ended answers at once`() async throws {
        let listener = try Listener()
        let server = try ServerBench.idle(listener.settings())
        await server.answer()
        let running = Task { try await server.run() }
        server.open()
        _ = try await RawConnection.open(to: .tcp(listener.port)) { connection in
            try await connection.send(Self.request)
            return try await connection.readAnswer()
        }
        await server.answer()
        running.cancel()
        _ = await running.result
        await server.answer()
    }
}
