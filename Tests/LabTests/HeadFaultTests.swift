import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HeadFaultTests {
    @Test(arguments: [1, 1000, 1999, 2000, 204_800])
    func `a large head has the given number of additional bytes, in lines of moderate length`(bytes: Int) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/head/large/\(bytes)/photo.jpg", from: origin)
            let lines = reply.head.values("x-padding").map { "X-Padding: \($0)\r\n".utf8.count }
            #expect(lines.reduce(0, +) == max(bytes, 14))
            #expect(lines.allSatisfy { $0 < 2000 })
            #expect(reply.head["content-length"] == "3000")
            #expect(reply.body == Media.photo)
        }
    }

    @Test func `an endless head has an unlimited number of headers`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/head/endless/photo.jpg")
                let bytes = try await connection.read(2_000_000)
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n"))
                #expect(text.firstRange(of: "\r\n\r\n") == nil)
                let fields = text.split(separator: "\r\n").dropLast().filter { $0.hasPrefix("X-Endless: a") }
                #expect(fields.count > 1900)
                #expect(fields.allSatisfy { $0.utf8.count == 998 })
            }
            #expect(await origin.waitUntil { $0.disconnectsBeforeFinish == 1 })
            #expect(origin.counts.responsesFinished == 0)
        }
    }

    @Test func `a slow head arrives completely, and does not delay other requests`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { slow in
                try await slow.get("/slow/headers/3600s/photo.jpg")
                #expect(await origin.waitUntil { $0.requests == 1 })
                #expect(try await Exchange.get("/photo.jpg", from: origin).body == Media.photo)
            }
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/slow/headers/40ms/photo.jpg")
                try await connection.get("/photo.jpg")
                for _ in 0..<2 {
                    let head = try await connection.readHead()
                    #expect(head["content-length"] == "3000")
                    #expect(head["content-type"] == "image/jpeg")
                    #expect(try await connection.read(3000) == Media.photo)
                }
            }
        }
    }

    @Test func `a slow head and a cut of the body can be combined`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/slow/headers/20ms/reset/after/0/photo.jpg", from: origin)
            #expect(reply.head["content-length"] == "3000")
            #expect(reply.body.isEmpty)
            #expect(reply.end == .reset)
        }
    }
}
