import JSON
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// `POST /v1/warm`.
@Suite struct WarmTests {
    /// Answers with the number of each line of the body, and notes when nobody listens any more.
    private final class Warming: WarmAnswering {
        let isEndless: Bool
        let left = AsyncEvent()

        init(isEndless: Bool = false) { self.isEndless = isEndless }

        func answers(to body: [UInt8]) -> AsyncStream<JSONValue> {
            AsyncStream { continuation in
                for line in 1...max(1, body.split(separator: 0x0A).count) {
                    continuation.yield(["line": .number(JSONNumber(line))])
                }
                if !isEndless { continuation.finish() }
                continuation.onTermination = { [left] _ in left.signal() }
            }
        }
    }

    @Test func `each item has its line in the answer`() async throws {
        try await ServerBench.run(warming: Warming()) { server in
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

    @Test func `the work ends when the client leaves`() async throws {
        let warming = Warming(isEndless: true)
        try await ServerBench.run(warming: warming) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(
                    "POST /v1/warm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
                _ = try await connection.read(through: "\r\n\r\n")
            }
            await warming.left.wait()
        }
    }

    @Test func `another method and a server that warms nothing are refused`() async throws {
        try await ServerBench.run(warming: Warming()) { server in
            let read = try await server.send("GET", "/v1/warm")
            #expect(read.status == 405)
            let asked = try await server.send("POST", "/v1/warm?x=1", body: "{}")
            #expect(asked.status == 400)
        }
        try await ServerBench.run { server in
            let answer = try await server.send("POST", "/v1/warm", body: "{}")
            #expect(answer.status == 404)
        }
    }
}
