import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OtherAnswerTests {
    @Test(arguments: [404, 410, 500, 503])
    func `a status is sent with an HTML page`(status: Int) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/status/\(status)/photo.jpg", from: origin)
            #expect(reply.head.status == status)
            #expect(reply.head["content-type"] == "text/html; charset=utf-8")
            #expect(reply.text.contains("<h1>\(status) "))
        }
    }

    @Test func `a status without a body has no bytes`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/status/204/photo.jpg", from: origin)
            #expect(reply.head.status == 204)
            #expect(reply.head["content-length"] == nil)
            #expect(reply.body.isEmpty)
        }
    }

    @Test func `a redirect leads to the file after its number of hops`() async throws {
        try await withMediaOrigin { origin in
            var target = "/redirect/3/photo.jpg"
            for hop in 1...3 {
                let reply = try await Exchange.get(target, from: origin)
                #expect(reply.head.status == 302, "hop \(hop)")
                target = try #require(reply.head["location"])
            }
            #expect(target == "/photo.jpg")
            #expect(try await Exchange.get(target, from: origin).body == Media.photo)
        }
    }

    @Test(arguments: [
        ("/redirect/loop", "/redirect/loop"), ("/delay/1ms/redirect/loop?a=b", "/delay/1ms/redirect/loop?a=b"),
        ("/redirect/to/http%3A%2F%2F169.254.169.254%2F", "http://169.254.169.254/"),
    ])
    func `a redirect leads to the location in the path`(target: String, location: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(target, from: origin)
            #expect(reply.head.status == 302)
            #expect(reply.head["location"] == location)
        }
    }

    @Test func `a false content type does not change the bytes`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/lie/type/photo.jpg", from: origin)
            #expect(reply.head.status == 200)
            #expect(reply.head["content-type"] == "text/html; charset=utf-8")
            #expect(reply.body == Media.photo)
        }
    }

    @Test func `the page fault sends HTML with the content type of an image`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/page/not-even-there.png", from: origin)
            #expect(reply.head.status == 200)
            #expect(reply.head["content-type"] == "image/png")
            #expect(reply.text.contains("<h1>404 Not Found</h1>"))
        }
    }

    @Test func `the first requests for each flaky path fail, and its later requests succeed`() async throws {
        try await withMediaOrigin { origin in
            for expected in [503, 503, 200, 200] {
                let reply = try await Exchange.get("/flaky/2/photo.jpg", from: origin)
                #expect(reply.head.status == expected)
            }
            let other = try await Exchange.get("/flaky/2/video.mp4?new", from: origin)
            #expect(other.head.status == 503)
            let firm = try await Exchange.get("/flaky/0/photo.jpg", from: origin)
            #expect(firm.head.status == 200)
            #expect(origin.counts.hits("/flaky/2/photo.jpg") == 4)
            #expect(origin.counts.hits("/flaky/2/video.mp4") == 1)
        }
    }

    @Test func `encoded bombs declare their coding, and the PNG bomb is an image`() async throws {
        try await withMediaOrigin { origin in
            for bomb in [Bomb.gzip, .br, .zstd] {
                let reply = try await Exchange.get("/bomb/\(bomb)/photo.jpg", from: origin)
                #expect(reply.head["content-encoding"] == bomb.rawValue)
                #expect(reply.head["content-type"] == "image/jpeg")
                #expect(reply.body == bomb.content)
            }
            let png = try await Exchange.get("/bomb/png", from: origin)
            #expect(png.head["content-encoding"] == nil)
            #expect(png.head["content-type"] == "image/png")
            #expect(png.body == Bomb.png.content)
        }
    }
}
