import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RangeReplyTests {
    private static let size = Media.photo.count

    @Test(arguments: [
        ("0-0", 0..<1), ("1000-1999", 1000..<2000), ("2900-", 2900..<3000), ("-100", 2900..<3000),
        ("2999-9999", 2999..<3000), ("0-", 0..<3000), ("-9999", 0..<3000),
    ])
    func `the response to a range request has the bytes of the range`(range: String, bytes: Range<Int>) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/photo.jpg", from: origin, fields: "Range: bytes=\(range)\r\n")
            #expect(reply.head.status == 206)
            #expect(reply.head["content-range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(Self.size)")
            #expect(reply.head["content-length"] == "\(bytes.count)")
            #expect(reply.head["content-type"] == "image/jpeg")
            #expect(reply.head["etag"] != nil)
            #expect(reply.body == Array(Media.photo[bytes]))
        }
    }

    @Test(arguments: ["3000-", "5000-6000", "-0"])
    func `a range outside of the file is refused with 416 and the size of the file`(range: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/photo.jpg", from: origin, fields: "Range: bytes=\(range)\r\n")
            #expect(reply.head.status == 416)
            #expect(reply.head["content-range"] == "bytes */3000")
            #expect(reply.head["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test(arguments: ["bytes=0-1,5-6", "bytes=9-1", "items=0-1", "photo"])
    func `a request for several ranges or for a malformed range gets the whole file`(range: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/photo.jpg", from: origin, fields: "Range: \(range)\r\n")
            #expect(reply.head.status == 200)
            #expect(reply.head["content-range"] == nil)
            #expect(reply.body == Media.photo)
        }
    }

    @Test func `the response to HEAD describes the whole file`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(
                "/photo.jpg", from: origin, method: "HEAD", fields: "Range: bytes=0-9\r\n")
            #expect(reply.head.status == 200)
            #expect(reply.head["content-length"] == "3000")
            #expect(reply.head["accept-ranges"] == "bytes")
        }
    }

    @Test func `a download that broke off continues with If-Range if the file has not changed`() async throws {
        try await withMediaOrigin { origin in
            let target = "/flaky/1/truncate/after/1000/video.mp4"
            let first = try await Exchange.get(target, from: origin)
            let tag = try #require(first.head["etag"])
            let range = "Range: bytes=\(first.body.count)-\r\n"
            let rest = try await Exchange.get(target, from: origin, fields: range + "If-Range: \(tag)\r\n")
            #expect(rest.head.status == 206)
            #expect(first.body + rest.body == Media.video)
            let other = try await Exchange.get(target, from: origin, fields: range + "If-Range: \"other\"\r\n")
            #expect(other.head.status == 200)
            #expect(other.body == Media.video)
            #expect(origin.counts.ranges(target) == ["bytes=1000-", "bytes=1000-"])
        }
    }

    @Test func `a body fault counts bytes from the start of the range`() async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(
                "/truncate/after/10/photo.jpg", from: origin, fields: "Range: bytes=100-199\r\n")
            #expect(reply.head["content-length"] == "100")
            #expect(reply.body == Array(Media.photo[100..<110]))
        }
    }

    @Test(arguments: [
        ("Range: bytes=1000-1999\r\n", 1001..<2000), ("Range: bytes=-1\r\n", 2998..<2999),
        ("Range: bytes=0-0\r\n", 1..<2), ("", 1..<3000),
    ])
    func `the wrong-range fault sends a range without a requested range`(fields: String, bytes: Range<Int>) async throws
    {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get("/range/wrong/photo.jpg", from: origin, fields: fields)
            #expect(reply.head.status == 206)
            #expect(reply.head["content-range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/3000")
            #expect(reply.body == Array(Media.photo[bytes]))
        }
    }

    @Test(arguments: ["bytes=1000-", "bytes=5000-"])
    func `a request whose range is ignored gets the whole file`(range: String) async throws {
        try await withMediaOrigin { origin in
            let reply = try await Exchange.get(
                "/range/ignored/photo.jpg", from: origin, fields: "Range: \(range)\r\n")
            #expect(reply.head.status == 200)
            #expect(reply.head["accept-ranges"] == "bytes")
            #expect(reply.body == Media.photo)
            #expect(origin.counts.ranges("/range/ignored/photo.jpg") == [range])
        }
    }
}
