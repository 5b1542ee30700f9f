import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BrokenReplyTests {
    @Test(arguments: [0, 1, 1000, 150_000])
    func `a truncated body announces its full length, and the connection closes`(bytes: Int) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/truncate/\(bytes)/video.mp4", from: origin)
            #expect(reply.head["content-length"] == "\(Media.video.count)")
            #expect(reply.body == Array(Media.video.prefix(bytes)))
            #expect(reply.end == .closed)
            #expect(origin.counts.responsesCut == 1)
            #expect(origin.counts.responsesFinished == 0)
            #expect(await origin.waitUntil { $0.connectionsClosed == 1 })
            #expect(origin.counts.disconnectsBeforeFinish == 0)
        }
    }

    @Test(arguments: [0, 1, 1000, 60_000])
    func `the connection of a reset body is reset after the requested bytes`(bytes: Int) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/reset/\(bytes)/video.mp4", from: origin)
            #expect(reply.head["content-length"] == "\(Media.video.count)")
            #expect(reply.body == Array(Media.video.prefix(bytes)))
            #expect(reply.end == .reset)
            #expect(origin.counts.responsesCut == 1)
        }
    }

    @Test func `a response with a false length declares a thousand bytes more than its body`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/lie/length/photo.jpg", from: origin)
            #expect(reply.head["content-length"] == "4000")
            #expect(reply.body == Media.photo)
            #expect(reply.end == .closed)
            #expect(origin.counts.responsesCut == 1)
        }
    }

    @Test func `a stalled body sends nothing on an open connection`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/stall/after/1000/video.mp4")
                #expect(try await connection.readHead()["content-length"] == "\(Media.video.count)")
                #expect(try await connection.read(1000) == Array(Media.video.prefix(1000)))
                #expect(await origin.waitUntil { $0.stallsReached == 1 })
                #expect(origin.counts.connectionsOpen == 1)
                // The client receives no further bytes before it sees the origin close the connection.
                await origin.stop()
                let (rest, end) = try await connection.readToEnd()
                #expect(rest.isEmpty)
                #expect(end == .closed)
            }
            #expect(origin.counts.responsesFinished == 0)
            #expect(origin.counts.disconnectsBeforeFinish == 0, "the origin hung up, not the client")
        }
    }

    @Test func `a response with stalled headers sends no bytes`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/delay/1ms/stall/headers/video.mp4")
                #expect(await origin.waitUntil { $0.stallsReached == 1 })
                #expect(origin.counts.hits("/delay/1ms/stall/headers/video.mp4") == 1)
                await origin.stop()
                #expect(try await connection.readToEnd() == ([], .closed))
            }
        }
    }

    @Test(arguments: [
        "/stall/headers/a", "/stall/after/10/video.mp4", "/delay/3600s/video.mp4", "/drip/3600s/video.mp4",
        "/endless", "/endless/drip/3600s/video.mp4", "/slow/headers/3600s/video.mp4", "/head/endless/video.mp4",
        "/slow/headers/3600s/head/endless/video.mp4",
    ])
    func `a client that disconnects early is counted`(target: String) async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get(target)
                #expect(await origin.waitUntil { $0.requests == 1 })
            }
            #expect(await origin.waitUntil { $0.disconnectsBeforeFinish == 1 })
            #expect(origin.counts.connectionsOpen == 0)
            #expect(origin.counts.responsesFinished == 0)
            #expect(origin.counts.responsesCut == 0)
        }
    }

    @Test func `an endless body repeats the bytes of the file in chunks`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/endless/photo.jpg")
                let head = try await connection.readHead()
                #expect(head["transfer-encoding"] == "chunked")
                #expect(head["content-length"] == nil)
                for _ in 0..<1000 {
                    #expect(try await connection.read(5) == Array("bb8\r\n".utf8))
                    try #require(try await connection.read(Media.photo.count) == Media.photo)
                    #expect(try await connection.read(2) == Array("\r\n".utf8))
                }
            }
            #expect(await origin.waitUntil { $0.disconnectsBeforeFinish == 1 })
        }
    }

    @Test func `an endless body does not delay other requests`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { endless in
                try await endless.get("/endless")
                _ = try await endless.readHead()
                #expect(try await Exchange.get("/video.mp4", from: origin).body == Media.video)
            }
        }
    }

    @Test func `the earlier of two faults that cut the body applies`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/stall/after/500/truncate/100/video.mp4", from: origin)
            #expect(reply.body.count == 100)
            #expect(reply.end == .closed)
        }
    }
}
