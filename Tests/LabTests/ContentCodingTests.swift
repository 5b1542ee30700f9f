import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContentCodingTests {
    /// zlib, libbrotli and libzstd decode these bytes to "Hello" and to an empty body.
    @Test(arguments: [
        (ContentCoding.gzip, "Hello", "1f8b08000000000000ff010500faff48656c6c6f8289d1f705000000"),
        (.br, "Hello", "40001048656c6c6f03"), (.zstd, "Hello", "28b52ffda00500000029000048656c6c6f"),
        (.gzip, "", "1f8b08000000000000ff010000ffff0000000000000000"), (.br, "", "06"),
        (.zstd, "", "28b52ffda000000000010000"),
    ])
    func `the coding of a small text is a complete stream`(coding: ContentCoding, text: String, stream: String) {
        #expect(coding.encode(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == stream)
    }

    /// The numbers are the sizes of the frames around blocks of 65,535, 65,536 and 131,072 bytes.
    @Test(arguments: [
        (ContentCoding.gzip, 18 + 4 * 5), (.br, 4 * 3 + 1), (.zstd, 9 + 2 * 3),
    ])
    func `the coding of a large body has several blocks`(coding: ContentCoding, frames: Int) {
        #expect(coding.encode(Media.video).count == Media.video.count + frames)
    }

    @Test(arguments: ContentCoding.allCases)
    func `a file is sent in its content coding, with a separate tag`(coding: ContentCoding) async throws {
        try await withMediaOrigin { origin in
            let plain = try await Exchange.get("/photo.jpg", from: origin)
            let reply = try await Exchange.get("/encoding/\(coding)/photo.jpg", from: origin)
            let stream = coding.encode(Media.photo)
            #expect(reply.head["content-encoding"] == coding.rawValue)
            #expect(reply.head["vary"] == "Accept-Encoding")
            #expect(reply.head["content-type"] == "image/jpeg")
            #expect(reply.head["content-length"] == "\(stream.count)")
            #expect(reply.head["etag"] != plain.head["etag"])
            #expect(reply.body == stream)
            let part = try await Exchange.get(
                "/encoding/\(coding)/photo.jpg", from: origin, fields: "Range: bytes=5-9\r\n")
            #expect(part.head["content-range"] == "bytes 5-9/\(stream.count)")
            #expect(part.body == Array(stream[5...9]))
        }
    }

    @Test func `the error of a file that is too large to be encoded states the limit`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        try directory.write([UInt8](repeating: 0, count: Representation.largestEncoded + 1), to: "film.mov")
        try await MisbehavingOrigin.withOrigin(serving: directory.path) { origin in
            let reply = try await Exchange.get("/encoding/gzip/film.mov", from: origin)
            #expect(reply.head.status == 500)
            #expect(reply.text.contains("Files of more than 16 MiB are not encoded here."))
        }
    }
}
