import Glibc
import HTTPCaching
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// HTTP/2 over TLS, against nginx: many files over few connections, which are used again, and so are TLS sessions.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HTTP2Tests {
    private let files = CountedFiles()

    /// A budget and limits that hold on a busy machine under a sanitizer: none of these tests is about time. A transfer
    /// that stalls for longer than the patience would get a second connection.
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

    /// Fetches so many files at once, expects them whole, and gives their transfers.
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

    @Test func `many files at once go over few connections, and the next ones over the same`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await with(server) { fixture in
            let first = try await fetch(64, from: server, fixture)
            #expect(first.allSatisfy { $0.protocolName == "h2" && $0.status == 200 && $0.failure == nil })
            #expect(first.count == 64)
            // The first transfer goes alone, and its connection carries the others.
            #expect(first.filter { !$0.isReused }.count == 1)
            let second = try await fetch(64, from: server, fixture, query: "again")
            #expect(second.allSatisfy { $0.protocolName == "h2" && $0.isReused })
        }
    }

    @Test func `a first connection that is late keeps nobody waiting`() async throws {
        let silent = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false)
        let (port, descriptor) = (silent.port, silent.descriptor.raw)
        var limits = Self.limits()
        // Otherwise each stalled transfer would make room for the next.
        (limits.stallThreshold, limits.stalledPerHost) = (.milliseconds(50), 1)
        try await OriginFixture.with(limits: limits) { fixture in
            let fetches = (0..<8).map { number in
                Task { [files] in await fixture.fetch(url: "https://127.0.0.1:\(port)/\(number)", into: files) }
            }
            // Two transfers have four connections at most, as each is overtaken by a second one.
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

    @Test func `a first connection that fails keeps nobody waiting`() async throws {
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
            // The others are open at the same time, as the service answers none of them.
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

    /// nginx allows 128 streams, and libcurl opens a connection for each further one.
    @Test func `of more files than a connection carries the rest waits, and opens none`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await with(server, limits: Self.limits(connectionsPerHost: 256)) { fixture in
            _ = try await fetch(1, from: server, fixture, query: "first")
            let transfers = try await fetch(256, from: server, fixture)
            #expect(transfers.count == 256)
            #expect(transfers.allSatisfy { $0.protocolName == "h2" && $0.status == 200 && $0.failure == nil })
            #expect(transfers.allSatisfy { $0.isReused })
        }
    }

    @Test func `what was measured is there: a handshake where there was one, the address, the bytes`() async throws {
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

    @Test func `an origin that ends its connections after a few requests loses none`() async throws {
        let server = try ChildServer(isMultiplexed: true, settings: "keepalive_requests 5;")
        try await with(server) { fixture in
            let transfers = try await fetch(40, from: server, fixture)
            #expect(transfers.filter { $0.failure == nil }.count == 40)
        }
    }

    @Test func `an origin that takes few streams at a time has the others wait`() async throws {
        let server = try ChildServer(isMultiplexed: true, settings: "http2_max_concurrent_streams 2;")
        try await with(server) { fixture in
            let transfers = try await fetch(30, from: server, fixture)
            #expect(transfers.allSatisfy { $0.protocolName == "h2" && $0.failure == nil })
        }
    }

    @Test func `cancelling one stream leaves the others alone`() async throws {
        // So slow that it is still under way when it is cancelled.
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

    /// The origin goes on sending for a round trip, and what comes belongs to no response.
    @Test func `files that are refused cost the other files of their connection nothing`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        var limits = Self.limits()
        (limits.pictureBytes, limits.soundBytes, limits.videoBytes) = (1_000_000, 1_000_000, 1_000_000)
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

    /// E231 of `fixtures/hostile_urls.json`. To a client that takes them, nginx does push here, and logs it.
    @Test func `nothing is pushed that was not asked for`() async throws {
        let server = try ChildServer(
            isMultiplexed: true, settings: "location = /progressive.jpg { http2_push /photo-small.jpg; }")
        try await with(server) { fixture in
            let transfers = try await fetch(3, from: server, fixture)
            #expect(transfers.allSatisfy { $0.protocolName == "h2" })
            // Pushes are logged before what they belong to.
            try await wait(for: "three lines of the log") { server.sessions.count >= 3 }
            #expect(server.sessions.count == 3)
        }
    }

    @Test func `a server that speaks HTTP 1.1 alone is spoken to so, and its TLS sessions are taken up again`()
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

    /// More than one thread has enough to do for: with several processors handles and sessions go from one to another.
    @Test(arguments: [true, false])
    func `of many at a time each gets its own, and sessions are taken up again`(_ isMultiplexed: Bool) async throws {
        let server = try ChildServer(
            isMultiplexed: isMultiplexed, settings: isMultiplexed ? "keepalive_requests 20;" : "keepalive_requests 2;")
        try await with(server, limits: Self.limits(connectionsPerHost: 128)) { fixture in
            _ = try await fetch(1, from: server, fixture, query: "first")
            for round in 1...3 {
                let transfers = try await fetch(128, from: server, fixture, query: "\(round)-")
                #expect(Set(transfers.compactMap(\.protocolName)) == [isMultiplexed ? "h2" : "http/1.1"])
            }
            try await wait(for: "a line of the log for each") { server.sessions.count >= 385 }
            // A session is taken up again if its connection ended in order. nginx ends an HTTP/2 connection of many transfers
            // in another way mostly: of 70 runs, 2 took up none.
            #expect(isMultiplexed || server.sessions.contains(true))
        }
    }

    @Test func `without its authority's certificate it is not trusted, and no request is sent`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await OriginFixture.with { fixture in
            let result = await fixture.fetch(url: "https://127.0.0.1:\(server.port)/photo-small.jpg", into: files)
            #expect(result.reason == .tlsFailed)
        }
        // The log's one line is this fetch's: there was none before it.
        try await with(server) { fixture in
            _ = try await fetch(1, from: server, fixture)
            try await wait(for: "a line of the log") { !server.sessions.isEmpty }
            #expect(server.sessions.count == 1)
        }
    }
}
