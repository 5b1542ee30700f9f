import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OriginLifeTests {
    @Test func `an origin listens on a real port, and releases the port when it stops`() async throws {
        let directory = try TemporaryDirectory.withMedia()
        defer { directory.remove() }
        let first = try await MisbehavingOrigin.start(serving: directory.path)
        #expect(first.port > 0)
        #expect(first.baseURL == "http://127.0.0.1:\(first.port)")
        await first.stop()
        await first.stop()
        let second = try await MisbehavingOrigin.start(serving: directory.path, port: first.port)
        #expect(second.port == first.port)
        await second.stop()
    }

    @Test func `the error of a port in use names the port`() async throws {
        try await withMediaOrigin { origin in
            let error = await #expect(throws: OriginStartError.self) {
                _ = try await MisbehavingOrigin.start(serving: "/tmp", port: origin.port)
            }
            #expect(
                error?.description.hasPrefix(
                    "cannot listen on 127.0.0.1, port \(origin.port), where another program listens") == true)
        }
    }

    @Test func `a stop closes all descriptors of open responses`() async throws {
        let directory = try TemporaryDirectory.withMedia()
        defer { directory.remove() }
        try await MisbehavingOrigin.withOrigin(serving: directory.path) { origin in
            try await RawConnection.open(to: origin.port) { stalled in
                try await RawConnection.open(to: origin.port) { dripping in
                    try await stalled.get("/stall/after/1/video.mp4")
                    try await dripping.get("/drip/3600s/video.mp4")
                    #expect(await origin.waitUntil { $0.stallsReached == 1 })
                    // The file is open when the client has received the head.
                    _ = try await dripping.readHead()
                    #expect(directory.openDescriptors() == 3, "two bodies and the directory")
                    await origin.stop()
                    #expect(directory.openDescriptors() <= 1, "at most the directory, which the origin closes last")
                }
            }
        }
        #expect(directory.openDescriptors() == 0)
    }

    @Test func `a wait ends when the origin's counts meet its condition`() async throws {
        try await withMediaOrigin { origin in
            #expect(await origin.waitUntil { $0.requests == 0 })
            async let seen = origin.waitUntil { $0.responsesFinished >= 3 }
            for _ in 0..<3 { _ = try await Exchange.get("/photo.jpg", from: origin) }
            #expect(await seen)
        }
    }

    @Test func `a cancelled wait ends, even if it was cancelled before it began`() async throws {
        try await withMediaOrigin { origin in
            for _ in 0..<100 {
                let wait = Task { await origin.waitUntil { $0.requests == 1 } }
                wait.cancel()
                #expect(await wait.value == false)
            }
        }
    }

    @Test func `a stop ends all waits`() async throws {
        try await withMediaOrigin { origin in
            async let seen = origin.waitUntil { $0.requests == 1 }
            await origin.stop()
            #expect(await seen == false)
        }
    }
}
