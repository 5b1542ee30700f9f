import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChangedFileTests {
    @Test func `a file changes after the given number of requests`() async throws {
        try await withMediaOrigin { origin in
            let replies = try await Self.four("/changed/2/photo.jpg", from: origin)
            #expect(replies[0].body == Media.photo)
            #expect(replies[1].body == Media.photo)
            #expect(replies[0].head["etag"] == replies[1].head["etag"])
            for changed in replies[2...] {
                #expect(changed.head.status == 200)
                #expect(changed.head["content-type"] == "image/jpeg")
                #expect(changed.body.prefix(32) == Media.photo.prefix(32))
                #expect(changed.body.dropFirst(32).elementsEqual(Media.photo.dropFirst(32).map { ~$0 }))
                #expect(changed.head["etag"] == replies[2].head["etag"])
                #expect(changed.head["etag"] != replies[0].head["etag"])
                #expect(changed.head["last-modified"] != replies[0].head["last-modified"])
            }
        }
    }

    @Test func `a file is replaced by another file of the directory`() async throws {
        try await withMediaOrigin { origin in
            let replies = try await Self.four("/changed/3/to/sub%20folder%2Fdata.json/photo.jpg", from: origin)
            #expect(replies[2].body == Media.photo)
            #expect(replies[3].text == "{}")
            #expect(replies[3].head["content-type"] == "application/json")
        }
    }

    @Test(arguments: ["..%2Fphoto.jpg", "%2Fetc%2Fpasswd", "nothing.jpg", "sub%20folder"])
    func `a file is not replaced by a file outside the directory`(file: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/changed/0/to/\(file)/photo.jpg", from: origin)
            #expect(reply.head.status == 404)
        }
    }

    @Test func `a range of the old file is not continued with the new file`() async throws {
        try await withMediaOrigin { origin in
            let target = "/changed/1/video.mp4"
            let tag = try #require(try await Exchange.get(target, from: origin).head["etag"])
            let range = "Range: bytes=70000-70099\r\n"
            let safe = try await Exchange.get(target, from: origin, fields: range + "If-Range: \(tag)\r\n")
            #expect(safe.head.status == 200)
            #expect(safe.body.count == Media.video.count)
            let careless = try await Exchange.get(target, from: origin, fields: range)
            #expect(careless.head.status == 206)
            #expect(careless.body == Media.video[70_000..<70_100].map { ~$0 })
            let known = try await Exchange.get(target, from: origin, fields: "If-None-Match: \(tag)\r\n")
            #expect(known.head.status == 200)
        }
    }

    private static func four(_ target: String, from origin: MisbehavingOrigin) async throws -> [Exchange] {
        var replies: [Exchange] = []
        for _ in 0..<4 { replies.append(try await Exchange.get(target, from: origin)) }
        return replies
    }
}
