import Glibc
import HTTPCaching
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of HTTP/2 over TLS against nginx: many files over few connections, and the reuse of connections and TLS
/// sessions.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HTTP2Tests {
    private let files = CountedFiles()

    /// The budget and the limits are long enough for a busy machine under a sanitizer. None of these tests measures
    /// time. A transfer that stalls for longer than its limit would get a second connection.
    private static let budget = Duration.seconds(240)
    private static func limits(connectionsPerHost: Int = FetchLimits().connectionsPerHost) -> FetchLimits {
        var limits = FetchLimits()
        limits.connectionsPerHost = connectionsPerHost
        (limits.connect, limits.firstByte, limits.idle, limits.stallThreshold) = (budget, budget, budget, budget)
        limits.hedgeAfter = budget
        return limits
    }

    private func with(
        _ server: ChildServer, limits: FetchLimits = limits(), _ body: (OriginFixture) async throws -> Void
    ) async throws {
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        try await OriginFixture.with(limits: limits, policy: policy) { try await body($0) }
    }

    /// Fetches a number of files at once, expects them complete, and returns their transfers.
    private func fetch(
        _ count: Int, from server: ChildServer, _ fixture: OriginFixture, query: String = ""
    ) async throws -> [TransferTiming] {
        let expected = try Fixtures.bytes("media/progressive.jpg")
        return try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask { [files] in
                    let trace = StageTrace()
                    let media = try await fixture.fetch(
                        url: "https://127.0.0.1:\(server.port)/progressive.jpg?\(query)\(number)", into: files,
                        within: Self.budget, trace: trace
                    ).get()
                    return (try media.bytes, trace.transfers)
                }
            }
            var transfers: [TransferTiming] = []
            for try await (bytes, some) in group {
                #expect(bytes == expected)
                transfers += some
            }
            return transfers
        }
    }

    @Test func `many simultaneous files share one connection, and later files reuse it`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await with(server) { fixture in
            let first = try await fetch(64, from: server, fixture)
            #expect(first.allSatisfy { $0.protocolName == "h2" && $0.status == 200 && $0.failure == nil })
            #expect(first.count == 64)
            // The first transfer starts alone, and its connection carries the others.
            #expect(first.filter { !$0.isReused }.count == 1)
            let second = try await fetch(64, from: server, fixture, query: "again")
            #expect(second.allSatisfy { $0.protocolName == "h2" && $0.isReused })
        }
    }

    @Test func `a slow first connection does not delay the other transfers`() async throws {
        let silent = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false)
        let (port, descriptor) = (silent.port, silent.descriptor.raw)
        var limits = Self.limits()
        // With more stalled transfers, each of them would release its permit to the next.
        (limits.stallThreshold, limits.stalledPerHost) = (.milliseconds(50), 1)
        try await OriginFixture.with(limits: limits) { fixture in
            let fetches = (0..<8).map { number in
                Task { [files] in await fixture.fetch(url: "https://127.0.0.1:\(port)/\(number)", into: files) }
            }
            // Two transfers have at most four connections, because each transfer may have a second connection.
            var connections: [Int32] = []
            try await wait(for: "connections of several transfers") {
                while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                    connections.append(connection)
                }
                return connections.count >= 8
            }
            for fetch in fetches { fetch.cancel() }
            for fetch in fetches { #expect(await fetch.value.reason == .cancelled) }
            for connection in connections { close(connection) }
        }
        _ = consume silent
    }

    @Test func `a failed first connection does not delay the other transfers`() async throws {
        let listener = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false)
        let (port, descriptor) = (listener.port, listener.descriptor.raw)
        try await OriginFixture.with(limits: Self.limits()) { fixture in
            let fetches = (0..<6).map { number in
                Task { [files] in await fixture.fetch(url: "https://127.0.0.1:\(port)/\(number)", into: files) }
            }
            var connections: [Int32] = []
            func acceptAll() {
                while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                    connections.append(connection)
                }
            }
            try await wait(for: "the first connection") {
                acceptAll()
                return !connections.isEmpty
            }
            for connection in connections { close(connection) }
            connections = []
            // The other connections are open at the same time, because the service answers no request.
            try await wait(for: "the connections of the others") {
                acceptAll()
                return connections.count >= 4
            }
            for fetch in fetches { fetch.cancel() }
            for fetch in fetches { _ = await fetch.value }
            for connection in connections { close(connection) }
        }
        _ = consume listener
    }

    /// nginx allows 128 streams, and libcurl would open a new connection for each further stream.
    @Test func `files beyond the capacity of a connection wait for it, and open no other connection`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await with(server, limits: Self.limits(connectionsPerHost: 256)) { fixture in
            _ = try await fetch(1, from: server, fixture, query: "first")
            let transfers = try await fetch(256, from: server, fixture)
            #expect(transfers.count == 256)
            #expect(transfers.allSatisfy { $0.protocolName == "h2" && $0.status == 200 && $0.failure == nil })
            #expect(transfers.allSatisfy { $0.isReused })
        }
    }

    @Test func `the timing of a transfer has its handshake, its address and its bytes`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await with(server) { fixture in
            let trace = StageTrace()
            let url = "https://127.0.0.1:\(server.port)/photo-small.jpg"
            _ = try await fixture.fetch(url: url, into: files, trace: trace).get()
            _ = try await fixture.fetch(url: url, into: files, trace: trace).get()
            let transfers = trace.transfers
            let count = try Fixtures.bytes("media/photo-small.jpg").count
            #expect(transfers.map(\.isReused) == [false, true])
            #expect(transfers.map { $0.tls != nil } == [true, false])
            #expect(transfers.map { $0.connect != nil } == [true, false])
            for transfer in transfers {
                #expect(transfer.origin == "https://127.0.0.1:\(server.port)")
                #expect(transfer.address == "127.0.0.1")
                #expect(transfer.port == Int(server.port))
                #expect(transfer.bodyBytes == count && transfer.wireBytes == count)
            }
            #expect(trace.stages().map(\.name).contains(.tls))
        }
    }

    @Test func `no file is lost if the origin closes connections after a few requests`() async throws {
        let server = try ChildServer(isMultiplexed: true, settings: "keepalive_requests 5;")
        try await with(server) { fixture in
            let transfers = try await fetch(40, from: server, fixture)
            #expect(transfers.filter { $0.failure == nil }.count == 40)
        }
    }

    @Test func `transfers wait if the origin allows only few simultaneous streams`() async throws {
        let server = try ChildServer(isMultiplexed: true, settings: "http2_max_concurrent_streams 2;")
        try await with(server) { fixture in
            let transfers = try await fetch(30, from: server, fixture)
            #expect(transfers.allSatisfy { $0.protocolName == "h2" && $0.failure == nil })
        }
    }

    @Test func `the cancellation of one stream does not affect the other streams`() async throws {
        // The transfer is so slow that it still runs when it is cancelled.
        let server = try ChildServer(isMultiplexed: true, settings: "location = /photo-12mp.jpg { limit_rate 1k; }")
        try await with(server) { fixture in
            let progress = FetchProgress()
            let slow = Task { [files] in
                await fixture.fetch(
                    url: "https://127.0.0.1:\(server.port)/photo-12mp.jpg", into: files, progress: progress)
            }
            for await state in progress where state.receivedBytes > 0 { break }
            let before = try await fetch(4, from: server, fixture)
            slow.cancel()
            #expect(await slow.value.reason == .cancelled)
            let after = try await fetch(4, from: server, fixture, query: "after")
            #expect((before + after).allSatisfy { $0.isReused && $0.failure == nil })
        }
    }

    /// The origin continues to send for one round trip, and these bytes belong to no response.
    @Test func `refused files do not affect the other files of their connection`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        var limits = Self.limits()
        (limits.imageBytes, limits.soundBytes, limits.videoBytes) = (1_000_000, 1_000_000, 1_000_000)
        for round in 0..<5 {
            try await with(server, limits: limits) { fixture in
                _ = try await fetch(1, from: server, fixture, query: "first\(round)")
                async let refused = fixture.fetch(url: "https://127.0.0.1:\(server.port)/photo-12mp.jpg?\(round)")
                let transfers = try await fetch(2, from: server, fixture, query: "\(round)-")
                #expect(try await refused.reason == .tooLarge)
                #expect(transfers.map(\.failure) == [nil, nil])
                #expect(transfers.allSatisfy { $0.protocolName == "h2" })
            }
        }
    }

    /// This is case E231 of `fixtures/hostile_urls.json`. nginx would push to a client that accepts it, and would log
    /// the push.
    @Test func `an origin cannot push files that were not requested`() async throws {
        let server = try ChildServer(
            isMultiplexed: true, settings: "location = /progressive.jpg { http2_push /photo-small.jpg; }")
        try await with(server) { fixture in
            let transfers = try await fetch(3, from: server, fixture)
            #expect(transfers.allSatisfy { $0.protocolName == "h2" })
            // nginx logs a push before the request to which it belongs.
            try await wait(for: "three lines of the log") { server.sessions.count >= 3 }
            #expect(server.sessions.count == 3)
        }
    }

    @Test func `a server without HTTP/2 is reached over HTTP/1.1, and its TLS sessions are reused`()
        async throws
    {
        let server = try ChildServer(isMultiplexed: false, settings: "keepalive_timeout 0;")
        try await with(server) { fixture in
            _ = try await fetch(1, from: server, fixture)
            let transfers = try await fetch(8, from: server, fixture, query: "again")
            #expect(transfers.allSatisfy { $0.protocolName == "http/1.1" && !$0.isReused })
            try await wait(for: "nine lines of the log") { server.sessions.count >= 9 }
            #expect(server.sessions.first == false)
            #expect(server.sessions.dropFirst().contains(true))
        }
    }

    /// The load uses more than one thread, so that handles and sessions move between threads if there are several
    /// processors.
    @Test(arguments: [true, false])
    func `each of many simultaneous files arrives complete, and TLS sessions are reused`(_ isMultiplexed: Bool)
        async throws
    {
        let server = try ChildServer(
            isMultiplexed: isMultiplexed, settings: isMultiplexed ? "keepalive_requests 20;" : "keepalive_requests 2;")
        try await with(server, limits: Self.limits(connectionsPerHost: 128)) { fixture in
            _ = try await fetch(1, from: server, fixture, query: "first")
            for round in 1...3 {
                let transfers = try await fetch(128, from: server, fixture, query: "\(round)-")
                #expect(Set(transfers.compactMap(\.protocolName)) == [isMultiplexed ? "h2" : "http/1.1"])
            }
            try await wait(for: "a line of the log for each") { server.sessions.count >= 385 }
            // A session is reused only if its connection was closed in order. nginx mostly closes an HTTP/2 connection
            // with many transfers in another way. In 2 of 70 runs, no session was reused.
            #expect(isMultiplexed || server.sessions.contains(true))
        }
    }

    @Test func `a server of an unknown authority is not trusted, and receives no request`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await OriginFixture.with { fixture in
            let result = await fixture.fetch(url: "https://127.0.0.1:\(server.port)/photo-small.jpg", into: files)
            #expect(result.reason == .tlsFailed)
        }
        // The log has only the line of the second fetch, so the first fetch sent no request.
        try await with(server) { fixture in
            _ = try await fetch(1, from: server, fixture)
            try await wait(for: "a line of the log") { !server.sessions.isEmpty }
            #expect(server.sessions.count == 1)
        }
    }
}
