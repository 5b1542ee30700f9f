import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OriginCountsTests {
    @Test func `requests are counted for each connection`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                for _ in 0..<3 {
                    try await connection.get("/photo.jpg")
                    _ = try await connection.readHead()
                    _ = try await connection.read(Media.photo.count)
                }
                _ = try await Exchange.get("/photo.jpg", from: origin)
            }
            try await RawConnection.open(to: origin.port) { _ in
                #expect(await origin.waitUntil { $0.connectionsAccepted == 3 })
            }
            #expect(origin.counts.requestsByConnection == [3, 1, 0])
        }
    }

    @Test func `the counts include connections that clients closed before the origin accepted them`() async throws {
        try await withMediaOrigin { origin in
            for _ in 0..<100 { try RawConnection.openAndGiveUp(to: origin.port) }
            try await origin.acceptEarlierConnections()
            #expect(origin.counts.connectionsAccepted == 101)
            #expect(await origin.waitUntil { $0.connectionsOpen == 0 })
        }
    }

    @Test func `ranges, conditions and statuses are counted, and a test can wait for them`() async throws {
        try await withMediaOrigin { origin in
            async let seen = origin.waitUntil { $0.ranges("/photo.jpg").count == 2 && $0.replies(304) == 1 }
            _ = try await Exchange.get("/photo.jpg?a", from: origin, fields: "Range: bytes=0-1\r\n")
            _ = try await Exchange.get("/photo.jpg", from: origin, fields: "range: bytes=9999-\r\nIf-Match: *\r\n")
            _ = try await Exchange.get("/photo.jpg", from: origin, fields: "If-None-Match: *\r\n")
            _ = try await Exchange.get("/video.mp4", from: origin, fields: "If-Range: \"x\"\r\n")
            #expect(await seen)
            let counts = origin.counts
            #expect(counts.ranges("/photo.jpg") == ["bytes=0-1", "bytes=9999-"])
            #expect(counts.ranges("/video.mp4") == [])
            #expect(counts.requestsConditional == 3)
            #expect(counts.repliesByStatus == [206: 1, 416: 1, 304: 1, 200: 1])
        }
    }

    @Test func `ranges beyond the limit are not listed`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                let request = "HEAD / HTTP/1.1\r\nRange: bytes=0-\r\n\r\n"
                try await connection.send(String(repeating: request, count: OriginCounts.maxListed + 10))
                for _ in 0..<(OriginCounts.maxListed + 10) { _ = try await connection.readHead() }
            }
            #expect(origin.counts.rangesAsked.count == OriginCounts.maxListed)
            #expect(origin.counts.requests == OriginCounts.maxListed + 10)
        }
    }
}
