import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HeaderFaultTests {
    @Test func `headers are set, added and removed`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(
                "/header/Cache-Control:max-age=60/header/content-type:image%2Fwebp/header/-ETag"
                    + "/header/+Via:a/header/+Via:b/photo.jpg", from: origin)
            #expect(reply.head.status == 200)
            #expect(reply.head["cache-control"] == "max-age=60")
            #expect(reply.head["content-type"] == "image/webp")
            #expect(reply.head["etag"] == nil)
            #expect(reply.head.values("via") == ["a", "b"])
            #expect(reply.body == Media.photo)
        }
    }

    @Test(arguments: ["/status/404/", "/redirect/1/photo.jpg", "/nothing.jpg", "/flaky/9/photo.jpg"])
    func `a header is added to each response`(rest: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/header/Cache-Control:no-store\(rest)", from: origin)
            #expect(reply.head["cache-control"] == "no-store")
        }
    }

    @Test func `conditions are compared with the validators that the client has seen`() async throws {
        try await withMediaOrigin { origin in
            let target =
                "/header/ETag:W%2F%22v1%22/header/Last-Modified:Sun,%2006%20Nov%201994%2008:49:37%20GMT/photo.jpg"
            let first = try await Exchange.get(target, from: origin)
            #expect(first.head["etag"] == "W/\"v1\"")
            let known = try await Exchange.get(target, from: origin, fields: "If-None-Match: W/\"v1\"\r\n")
            #expect(known.head.status == 304)
            #expect(known.head["etag"] == "W/\"v1\"")
            let aged = "If-Modified-Since: Sun, 06 Nov 1994 08:49:38 GMT\r\n"
            #expect(try await Exchange.get(target, from: origin, fields: aged).head.status == 304)
            #expect(try await Exchange.get("/photo.jpg", from: origin, fields: aged).head.status == 200)
            let real = try #require(try await Exchange.get("/photo.jpg", from: origin).head["etag"])
            let tag = "If-None-Match: \(real)\r\n"
            #expect(try await Exchange.get("/header/-ETag/photo.jpg", from: origin, fields: tag).head.status == 200)
        }
    }

    @Test func `a body without a length ends with the connection`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/header/-Content-Length/photo.jpg")
                let head = try await connection.readHead()
                #expect(head["content-length"] == nil)
                #expect(head["transfer-encoding"] == nil)
                #expect(head["connection"] == "close")
                #expect(try await connection.readToEnd() == (Media.photo, .closed))
            }
        }
    }

    @Test func `a body is sent in chunks if its headers declare them`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(
                "/header/-Content-Length/header/Transfer-Encoding:chunked/photo.jpg", from: origin)
            #expect(reply.head["transfer-encoding"] == "chunked")
            #expect(reply.body == Array("bb8\r\n".utf8) + Media.photo + Array("\r\n0\r\n\r\n".utf8))
        }
    }

    @Test func `a 304 to a request without a condition has no headers of the file`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/status/304/photo.jpg", from: origin)
            #expect(reply.head.status == 304)
            for name in ["etag", "last-modified", "content-type", "content-length"] {
                #expect(reply.head[name] == nil, "\(name)")
            }
            #expect(reply.body.isEmpty)
        }
    }

    @Test func `a 503 with Retry-After has an HTML page`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/retry-after/2/503/photo.jpg", from: origin)
            #expect(reply.head.status == 503)
            #expect(reply.head["retry-after"] == "2")
            #expect(reply.text.contains("<h1>503 "))
        }
    }
}
