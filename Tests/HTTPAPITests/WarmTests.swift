import Base
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of the route `POST /v1/warm`.
@Suite(.timeLimit(.minutes(1))) struct WarmTests {
    /// A `WarmAnswering` that answers each line of the body with the number of the line.
    private struct Numbering: WarmAnswering {
        func answer(
            _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
        ) async {
            for line in 1...max(1, body.split(separator: 0x0A).count) {
                await write([["line": .number(JSONNumber(line))]])
            }
        }
    }

    /// A `WarmAnswering` that answers until its task is cancelled.
    private final class Endless: WarmAnswering {
        static let text = String(repeating: "x", count: 32 << 10)
        let written = Guarded(0)
        let priority = Guarded<TaskPriority?>(nil)
        let left = AsyncEvent()

        func answer(
            _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
        ) async {
            priority.withLock { $0 = Task.currentPriority }
            while !Task.isCancelled {
                await write([["text": .string(Self.text)]])
                written.withLock { $0 += 1 }
            }
            left.signal()
        }
    }

    /// A `WarmAnswering` that sends ten values of 32 KiB at once.
    private struct Large: WarmAnswering {
        func answer(
            _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
        ) async {
            await write(Array(repeating: .string(Endless.text), count: 10))
        }
    }

    /// A `WarmAnswering` that sends one value of 24 MiB, which exceeds the buffers of the connection, and ends.
    private struct Huge: WarmAnswering {
        func answer(
            _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
        ) async {
            await write([.string(String(repeating: "x", count: 24 << 20))])
        }
    }

    private static func request(_ body: String) -> String {
        "POST /v1/warm HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func `the response to a warm call has one line for each media item`() async throws {
        try await ServerBench.run(warming: Numbering()) { server in
            let answer = try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(
                    "POST /v1/warm HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{}\n{}\n{}\n"
                )
                return await connection.readToEnd()
            }
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            for line in 1...3 { #expect(answer.contains("{\"line\":\(line)}\n"), "\(answer)") }
        }
    }

    @Test func `values that are written at once are sent in pieces of about 64 KiB`() async throws {
        try await ServerBench.run(warming: Large()) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.request("{}"))
                _ = try await connection.read(through: "\r\n\r\n")
                let size = try await connection.read(through: "\r\n").split(separator: "\r\n")[0]
                #expect(try #require(Int(size, radix: 16)) < 100_000)
            }
        }
    }

    @Test func `a warm call ends when its client disconnects`() async throws {
        let warming = Endless()
        try await ServerBench.run(warming: warming) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.request("{}"))
                _ = try await connection.read(through: "\r\n\r\n")
            }
            await warming.left.wait()
        }
        #expect(warming.priority.withLock(\.self) == .utility)
    }

    @Test func `a warm call ends when its client does not read the results`() async throws {
        let warming = Endless()
        var settings = HTTPServerSettings()
        settings.writeLimit = .milliseconds(300)
        try await ServerBench.run(settings, warming: warming) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.request("{}"))
                // The server closes the connection, because the client reads nothing.
                await warming.left.wait()
            }
        }
        // The limit covers the buffers of the kernel (tcp_rmem and tcp_wmem, 36 MiB on large machines), of the server and of
        // this client. Without back pressure the work writes several times as much.
        #expect(warming.written.withLock(\.self) * Endless.text.utf8.count < 48 << 20)
    }

    @Test func `a drain ends a warm call, and a client that reads nothing does not delay the end`()
        async throws
    {
        let warming = Endless()
        var settings = HTTPServerSettings()
        settings.writeLimit = .seconds(600)
        try await ServerBench.run(settings, warming: warming) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.request("{}"))
                _ = try await connection.read(through: "\r\n\r\n")
                await server.beginShutdown()
                await warming.left.wait()
            }
        }
    }

    @Test func `a client that reads nothing does not delay the end after its warm call has ended`() async throws {
        var settings = HTTPServerSettings()
        settings.writeLimit = .seconds(600)
        try await ServerBench.run(settings, warming: Huge()) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.request("{}"))
                // The source has ended when the body of the response begins, because it writes only one piece.
                _ = try await connection.read(through: "\r\n\r\n1800003\r\n")
                await server.beginShutdown()
                await server.ended.wait()
            }
        }
    }

    @Test func `warm calls have a separate memory limit for their bodies`() async throws {
        let largeBodies = ByteLimiter(limit: 1 << 20)
        let leased = largeBodies.lease(1 << 20)
        var settings = HTTPServerSettings()
        settings.maxWarmingBytes = 1 << 20
        settings.memoryWait = .milliseconds(1)
        let body = String(repeating: "{}\n", count: 200_000)
        let warming = Endless()
        try await ServerBench.run(settings, largeBodies: largeBodies, warming: warming) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.request(body))
                let head = try await connection.read(through: "\r\n\r\n")
                #expect(head.hasPrefix("HTTP/1.1 200 OK"))
                let second = try await server.send("POST", "/v1/warm", body: body)
                #expect(second.status == 503)
                #expect(second["retry-after"] == "1")
                let other = try await server.send("POST", "/v1/notifications", ["Prefer: respond-async"], body: "{}")
                #expect(other.status != 503)
            }
            await warming.left.wait()
        }
        withExtendedLifetime(leased) {}
    }

    @Test func `a warm call with another method, or to a server without warming, is refused`() async throws {
        try await ServerBench.run(warming: Numbering()) { server in
            let read = try await server.send("GET", "/v1/warm")
            #expect(read.status == 405)
            let asked = try await server.send("POST", "/v1/warm?x=1", body: "{}")
            #expect(asked.status == 400)
        }
        try await ServerBench.run(without: "/v1/warm") { server in
            let answer = try await server.send("POST", "/v1/warm", body: "{}")
            #expect(answer.status == 404)
        }
    }
}
