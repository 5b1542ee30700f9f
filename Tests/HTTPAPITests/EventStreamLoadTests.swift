import Base
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct EventStreamLoadTests {
    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static func settings(maxStreams: Int) -> HTTPServerSettings {
        var settings = HTTPServerSettings()
        settings.maxEventStreams = maxStreams
        return settings
    }

    /// Sends more events than fit into the buffers of the kernel and of the server.
    private static func flood(_ coordinator: FakeCoordinator) {
        let padding = String(repeating: "-", count: 400)
        for number in 0..<floodCount {
            coordinator.send(.accepted, FakeCoordinator.key("b"), eventID: "\(number)\(padding)")
        }
    }

    private static let floodCount = 6_000

    /// Returns the chunks of a body in chunked encoding, which must be complete.
    private static func chunks(of body: String) throws -> [ArraySlice<UInt8>] {
        let bytes = Array(body.utf8)
        var (chunks, rest): ([ArraySlice<UInt8>], ArraySlice<UInt8>) = ([], bytes[...])
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\r")) {
            let size = try #require(Int(String(decoding: rest[..<lineEnd], as: UTF8.self), radix: 16))
            let start = lineEnd + 2
            try #require(rest.endIndex >= start + size + 2)
            if size > 0 { chunks.append(rest[start..<(start + size)]) }
            rest = rest[(start + size + 2)...]
        }
        return chunks
    }

    /// The end of the comment that a stream begins with.
    private static let opening = ":\n\n\r\n"

    @Test func `a stream beyond the limit is refused with a hint to close another stream`() async throws {
        let coordinator = FakeCoordinator()
        coordinator.set(.running, of: FakeCoordinator.key("a"))
        coordinator.emit(FakeCoordinator.key("b"))
        try await ServerBench.run(Self.settings(maxStreams: 2), coordinator: coordinator) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { first in
                try await first.send(Self.get("/v1/events"))
                _ = try await first.read(through: Self.opening)
                try await RawConnection.open(to: .socket(bench.socketPath)) { second in
                    try await second.send(Self.get("/v1/notifications/a/events"))
                    _ = try await second.read(through: Self.opening)
                    for path in ["/v1/events", "/v1/notifications/a/events"] {
                        let refusal = try await bench.send("GET", path)
                        #expect(refusal.status == 503)
                        #expect(refusal["content-type"] == "application/problem+json")
                        #expect(refusal["retry-after"] == "5")
                        #expect(refusal.json?["type"]?.string == "/problems/full")
                        #expect(refusal.json?["most"]?.integer == 2)
                        #expect(refusal.json?["detail"]?.string?.contains("Close a stream") == true)
                    }
                    // A response that does not wait for events needs no permit.
                    let unknown = try await bench.send("GET", "/v1/notifications/c/events").status
                    #expect(unknown == 404)
                    let emitted = try await bench.send("GET", "/v1/notifications/b/events").status
                    #expect(emitted == 200)
                    // The two admitted streams still get events.
                    coordinator.emit(FakeCoordinator.key("a"))
                    for text in [try await first.read(through: "\n\n"), try await second.read(through: "\n\n")] {
                        #expect(text.contains("event: emitted"))
                    }
                }
            }
        }
    }

    private enum Leaving: CaseIterable {
        case closes
        case endsItsSending
        case hasItsEnd
        case takesNothingAndCloses
    }

    @Test(arguments: Leaving.allCases)
    private func `a client that disconnects releases its permit at once`(leaving: Leaving) async throws {
        let coordinator = FakeCoordinator()
        coordinator.set(.running, of: FakeCoordinator.key("a"))
        try await ServerBench.run(Self.settings(maxStreams: 1), coordinator: coordinator) { bench in
            try await RawConnection.open(to: .socket(bench.socketPath)) { connection in
                let path = leaving == .hasItsEnd ? "/v1/notifications/a/events" : "/v1/events"
                try await connection.send(Self.get(path, "X-Request-Id: first\r\n"))
                _ = try await connection.read(through: Self.opening)
                let refused = try await bench.send("GET", "/v1/events").status
                #expect(refused == 503)
                switch leaving {
                case .closes: return
                case .takesNothingAndCloses:
                    Self.flood(coordinator)
                    // The stream has stopped listening, and its write is blocked.
                    await coordinator.wait { $0.listenersLeft == 1 }
                    return
                case .endsItsSending: connection.finishSending()
                case .hasItsEnd: coordinator.emit(FakeCoordinator.key("a"))
                }
                _ = try await connection.read(through: "0\r\n\r\n")
                try await Self.expectPlace(in: bench)
            }
            if leaving == .closes || leaving == .takesNothingAndCloses {
                await bench.log.wait(for: "request-id=first")
                try await Self.expectPlace(in: bench)
            }
        }
    }

    private static func expectPlace(in bench: ServerBench) async throws {
        try await RawConnection.open(to: .tcp(bench.port)) { next in
            try await next.send(get("/v1/events"))
            #expect(RawAnswer(head: try await next.read(through: "\r\n\r\n")).status == 200)
        }
    }

    @Test func `an event is rendered once for all listeners`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { first in
                try await first.send(Self.get("/v1/events"))
                _ = try await first.read(through: Self.opening)
                bench.coordinator.send(.accepted, FakeCoordinator.key("a"), eventID: "1")
                _ = try await first.read(through: "\n\n")
                try await RawConnection.open(to: .tcp(bench.port)) { second in
                    try await second.send(Self.get("/v1/events"))
                    _ = try await second.read(through: Self.opening)
                    // A coordinator never uses an id twice. This test uses an id twice, and gets the cached text of the
                    // first event.
                    bench.coordinator.send(.started, FakeCoordinator.key("b"), eventID: "1")
                    for text in [try await first.read(through: "\n\n"), try await second.read(through: "\n\n")] {
                        #expect(text.contains("id: 1\nevent: accepted\ndata: {\"id\":\"a\""))
                    }
                }
            }
        }
    }

    @Test func `the first event is written at once, and the events of the next pause are written together`()
        async throws
    {
        let clock = ManualClock()
        try await ServerBench.run(clock: clock) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(Self.get("/v1/events"))
                _ = try await connection.read(through: Self.opening)
                bench.coordinator.send(.accepted, FakeCoordinator.key("a"), eventID: "0")
                _ = try await connection.read(through: "\n\n\r\n")
                let count = 200
                for number in 1...count {
                    bench.coordinator.send(.accepted, FakeCoordinator.key("a"), eventID: "\(number)")
                }
                // The first event and these events have been added, and the stream waits for another.
                await bench.coordinator.wait { $0.demands == count + 2 }
                // Two tasks sleep: the heartbeat and the pause.
                await clock.waitForSleepers(2)
                clock.advance(by: EventStreamWriter.pause)
                let piece = try await connection.read(through: "\n\n\r\n")
                for number in 1...count { #expect(piece.contains("id: \(number)\n")) }
            }
        }
    }

    @Test func `a slow listener loses no event before it is disconnected, and delays no other listener`() async throws {
        let coordinator = FakeCoordinator()
        coordinator.set(.running, of: FakeCoordinator.key("a"))
        try await ServerBench.run(coordinator: coordinator) { bench in
            try await RawConnection.open(to: .socket(bench.socketPath)) { slow in
                try await slow.send(Self.get("/v1/events", "Connection: close\r\n"))
                _ = try await slow.read(through: Self.opening)
                try await RawConnection.open(to: .socket(bench.socketPath)) { other in
                    try await other.send(Self.get("/v1/notifications/a/events"))
                    _ = try await other.read(through: Self.opening)
                    Self.flood(coordinator)
                    await coordinator.wait { $0.listenersLeft == 1 }
                    coordinator.send(.started, FakeCoordinator.key("a"), eventID: "a")
                    let news = try await other.read(through: "\n\n")
                    #expect(news.contains("event: started"))
                }
                let pieces = try Self.chunks(of: await slow.readToEnd())
                let numbers = pieces.joined().split(separator: UInt8(ascii: "\n")).compactMap { line in
                    let text = String(decoding: line.prefix(12), as: UTF8.self)
                    return text.hasPrefix("id: ") ? Int(text.dropFirst(4).prefix { $0 != "-" }) : nil
                }
                #expect(numbers == Array(0..<numbers.count))
                #expect(numbers.count >= EventStreamWriter.maxWaiting)
                #expect(numbers.count < Self.floodCount)
                #expect(pieces.map(\.count).max() ?? 0 <= EventStreamWriter.maxWrite)
                #expect(pieces.count < numbers.count / 10)
            }
        }
    }

    @Test func `the server ends even if a listener reads nothing`() async throws {
        let directory = try TemporaryDirectory()
        var settings = Self.settings(maxStreams: 4)
        settings.socket = .init(path: directory.path + "/s")
        settings.writeLimit = .seconds(3_600)
        let coordinator = FakeCoordinator()
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let listening = Task {
            for await _ in opened { break }
            try await RawConnection.open(to: .socket(directory.path + "/s")) { slow in
                try await slow.send(Self.get("/v1/events"))
                _ = try await slow.read(through: Self.opening)
                Self.flood(coordinator)
                for await _ in ended {}
            }
        }
        // `run` returns when the server has ended, although no task reads the stream.
        try await ServerBench.run(settings, coordinator: coordinator) { _ in
            open.yield()
            await coordinator.wait { $0.listenersLeft == 1 }
        }
        end.finish()
        try await listening.value
    }
}
