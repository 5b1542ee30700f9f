import Lab
import OriginFaults
import Testing

/// Tests of `GET /` and of paths that misspell a fault.
@Suite(.timeLimit(.minutes(1)))
struct OriginIndexTests {
    @Test func `the page at the root lists each fault with an example, and the files`() async throws {
        try await withMediaOrigin { origin in
            let page = try await Exchange.get("/", from: origin)
            #expect(page.head.status == 200)
            #expect(page.head["content-type"] == "text/plain; charset=utf-8")
            let lines = page.text.split(separator: "\n").map { $0.split(separator: " ").first.map(String.init) }
            for entry in FaultReference.entries {
                #expect(lines.contains(entry.example(of: "photo.jpg")), "\(entry.path)")
            }
            for file in ["/photo.jpg", "/video.mp4", "/sub%20folder/data.json"] { #expect(lines.contains(file)) }
            let head = try await Exchange.get("/", from: origin, method: "HEAD")
            #expect(head.head.status == 200 && head.body.isEmpty)
            #expect(origin.counts.requestsRefused == 0)
        }
    }

    @Test func `each listed file can be fetched, and links are not listed`() async throws {
        let directory = try TemporaryDirectory.withMedia()
        defer { directory.remove() }
        try directory.link("link.jpg", to: "photo.jpg")
        try directory.link("up", to: "/")
        try directory.makePipe("pipe")
        try directory.write([1], to: "ü 100%.png")
        try await MisbehavingOrigin.withOrigin(serving: directory.path) { origin in
            let page = try await Exchange.get("/", from: origin)
            let files = try #require(page.text.split(separator: "Files:\n").last).split(separator: "\n")
                .map { $0.drop { $0 == " " } }
            #expect(files == ["/photo.jpg", "/sub%20folder/data.json", "/video.mp4", "/%C3%BC%20100%25.png"])
            for file in files {
                let reply = try await Exchange.get(String(file), from: origin)
                #expect(reply.head.status == 200, "\(file)")
            }
        }
    }

    @Test func `the listing of a huge directory ends at a limit`() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        for number in 0..<1_100 { try directory.write([], to: "\(number)") }
        let listing = try ServedDirectory(directory.path).files()
        #expect(listing.paths.count == 1_000)
        #expect(!listing.isComplete)
        #expect(directory.openDescriptors() == 0)
    }

    @Test(arguments: [
        ("/stal/after/1000/photo.jpg", "/stall/headers/… or /stall/after/1000/…?"),
        ("/dealy/2s/photo.jpg", "/delay/2s/… or /delay/random/1s/0.5/…?"),
        ("/delay/1ms/statsu/503/photo.jpg", "/status/503/…?"),
        ("/endles", "/endless/…?"), ("/slwo/headers/2s/a.jpg", "/slow/headers/2s/…?"),
        ("/drop/10s/a.jpg", "/drip/10s/…?"), ("/Bomb/png", "/bomb/gzip?"),
        ("/retry_after/2/503/a.jpg", "/retry-after/2/503/…?"),
    ])
    func `the error of a path with a misspelled fault has the correct form`(target: String, meant: String) async throws
    {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(target, from: origin)
            #expect(reply.head.status == 400)
            #expect(reply.text.contains("did you mean \(meant)"), "\(reply.text)")
            #expect(origin.counts.requestsRefused == 1)
        }
    }

    @Test(arguments: [
        "/stal/photo.jpg", "/pages/none.jpg", "/nothing.jpg", "/./delay/2s", "/photo.jpg/x", "/photo/stal/a",
        "/sale/weekend.jpg",
    ])
    func `a path without a fault results in a 404 if its first part exists or is unlike any fault`(target: String)
        async throws
    {
        let directory = try TemporaryDirectory.withMedia()
        defer { directory.remove() }
        try directory.write([1], to: "pages")
        try directory.makeDirectory("stal")
        try await MisbehavingOrigin.withOrigin(serving: directory.path) { origin in
            let reply = try await Exchange.get(target, from: origin)
            #expect(reply.head.status == 404)
        }
    }
}
