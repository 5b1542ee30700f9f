import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WholeReplyTests {
    @Test func `a file is sent completely, with its type and its validators`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/photo.jpg?size=2", from: origin)
            #expect(reply.head.status == 200)
            #expect(reply.head["content-type"] == "image/jpeg")
            #expect(reply.head["content-length"] == "3000")
            #expect(reply.head["accept-ranges"] == "bytes")
            #expect(reply.head["connection"] == "close")
            #expect(reply.head["last-modified"]?.hasSuffix(" GMT") == true)
            #expect(reply.head["etag"]?.hasPrefix("\"") == true)
            #expect(reply.body == Media.photo)
            #expect(reply.end == .closed)
            #expect(origin.counts.hits("/photo.jpg") == 1)
            #expect(origin.counts.responsesFinished == 1)
            #expect(origin.counts.disconnectsBeforeFinish == 0)
        }
    }

    @Test func `one connection serves many requests, including pipelined requests`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                for _ in 0..<2 {
                    for _ in 0..<100 { try await connection.get("/photo.jpg") }
                    for _ in 0..<100 {
                        #expect(try await connection.readHead()["connection"] == nil)
                        #expect(try await connection.read(Media.photo.count) == Media.photo)
                    }
                }
            }
            #expect(await origin.waitUntil { $0.connectionsClosed == 1 })
            #expect(origin.counts.connectionsAccepted == 1)
            #expect(origin.counts.hits("/photo.jpg") == 200)
            #expect(origin.counts.responsesFinished == 200)
            #expect(origin.counts.disconnectsBeforeFinish == 0)
        }
    }

    @Test(arguments: ["", "/drip/10s", "/truncate/1", "/endless", "/lie/length"])
    func `the response to HEAD has no body even if the path has a body fault`(faults: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(faults + "/photo.jpg", from: origin, method: "HEAD")
            #expect(reply.head.status == 200)
            #expect(reply.head["content-type"] == "image/jpeg")
            #expect(reply.body.isEmpty)
            #expect(reply.end == .closed)
            #expect(origin.counts.responsesFinished == 1)
        }
    }

    @Test func `a matching validator results in a 304`() async throws {
        try await withMediaOrigin { origin in
            let first = try await Exchange.get("/photo.jpg", from: origin)
            let tag = try #require(first.head["etag"])
            let date = try #require(first.head["last-modified"])
            for fields in [
                "If-None-Match: \(tag)\r\n", "If-None-Match: \"x\", W/\(tag)\r\n", "If-None-Match: *\r\n",
                "If-Modified-Since: \(date)\r\n",
            ] {
                let reply = try await Exchange.get("/photo.jpg", from: origin, fields: fields)
                #expect(reply.head.status == 304, "\(fields)")
                #expect(reply.head["etag"] == tag)
                #expect(reply.body.isEmpty)
            }
            for fields in ["If-None-Match: \"x\"\r\n", "If-None-Match: \"x\"\r\nIf-Modified-Since: \(date)\r\n"] {
                #expect(try await Exchange.get("/photo.jpg", from: origin, fields: fields).head.status == 200)
            }
        }
    }

    @Test func `a large file is sent completely to a slow reader`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let video = Media.pattern(8 << 20)
        try directory.write(video, to: "film.mov")
        try await MisbehavingOrigin.withOrigin(serving: directory.path) { origin in
            let reply = try await Exchange.get("/film.mov", from: origin)
            #expect(reply.head["content-type"] == "video/quicktime")
            #expect(reply.body == video)
        }
    }

    @Test func `an empty file results in a response without bytes`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        try directory.write([], to: "empty.png")
        try await MisbehavingOrigin.withOrigin(serving: directory.path) { origin in
            let reply = try await Exchange.get("/drip/5s/empty.png", from: origin)
            #expect(reply.head["content-length"] == "0")
            #expect(reply.body.isEmpty)
        }
    }

    @Test(arguments: ["/nothing.jpg", "/delay/1ms/", "/sub%20folder", "/delay/1ms/nothing.jpg"])
    func `a missing file results in a 404 with an HTML page`(target: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(target, from: origin)
            #expect(reply.head.status == 404)
            #expect(reply.head["content-type"] == "text/html; charset=utf-8")
            #expect(reply.text.hasPrefix("<!DOCTYPE html>"))
        }
    }
}
