import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of the main job with the program, its workers, a real origin and real media.
@Suite struct MainJobTests {
    private static func twoMee(_ urls: [String], _ extra: String = "") -> String {
        let list = urls.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            {"aps": {"alert": {"title": "Coach says hi", "body": "Tap to play the message."}, "mutable-content": 1},
             "appear2mee": {"id": "msg-bb", "stage": "alert", "urls": [\(list)], "fbTitle": "Message from your coach",
             "fbText": "Open the app to watch it."\(extra)}}
            """
    }

    private static func run(
        _ payload: String, root: TemporaryDirectory, _ arguments: String...
    ) async throws -> (run: ProgramRun, content: JSONValue) {
        let run = try await ProgramRun.appgroupd(
            ["process", "--root", root.path, "--allow-address", "127.0.0.0/8"] + arguments + ["-"], input: payload)
        return (run, try #require(try run.contents.first))
    }

    @Test func `a 12 MP photo and a 1080p video make a rich notification, in the payload's order`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = ["/photo-12mp.jpg", "/video-1080p.mp4"].map { origin.baseURL + $0 }
            let (run, content) = try await Self.run(
                Self.twoMee(urls), root: root, "--budget", "60s", "--require", "rich")
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
            #expect(content["outcome"] == "rich")
            #expect(content["reason"] == .null)
            #expect(content["content"]["title"] == "Coach says hi")
            let attachments = try #require(content["content"]["attachments"]?.array)
            #expect(attachments.map { $0["source"]["url"]?.string } == urls)
            #expect(attachments.map { $0["mimeType"]?.string } == ["image/jpeg", "video/mp4"])
            // The source image is stored rotated, with EXIF orientation 6. The rendition is upright.
            #expect(attachments[0]["width"] == 768)
            #expect(attachments[0]["height"] == 1_024)
            #expect(attachments[1]["width"] == 1_920)
            #expect(attachments[1]["height"] == 1_080)
            #expect(attachments[1]["poster"]["width"] == 1_024)
            #expect(attachments.map { $0["thumbnail"]["mimeType"]?.string } == ["image/jpeg", "image/jpeg"])
            let files = try root.files()
            for attachment in attachments {
                for part in [attachment, attachment["thumbnail"] ?? .null] {
                    let path = try #require(part["path"]?.string)
                    #expect(files.contains("group.default/\(path)"))
                }
            }
        }
    }

    @Test func `the photo and the success text are emitted in time if the video stalls`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = ["/stall/after/1000/coach/week3.mp4", "/photo-12mp.jpg"].map { origin.baseURL + $0 }
            let (run, content) = try await Self.run(
                Self.twoMee(urls), root: root, "--budget", "2s", "--require", "partial")
            #expect(run.status == 0)
            #expect(content["outcome"] == "partial")
            #expect(content["reason"] == "budget-exceeded")
            #expect(content["content"]["body"] == "Tap to play the message.")
            #expect(content["content"]["attachments"]?.array?.count == 1)
            #expect(try Self.elapsed(content) <= 2_000)
            await origin.waitUntil { $0.connectionsOpen == 0 }
        }
    }

    @Test func `the fallback text is emitted if the only media item stalls, and the verdict has the stages`()
        async throws
    {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = origin.baseURL + "/stall/after/1000/coach/week3.mp4"
            let (run, content) = try await Self.run(Self.twoMee([url]), root: root, "--budget", "1s")
            #expect(run.status == 0)
            #expect(content["outcome"] == "fallback")
            #expect(content["content"]["title"] == "Message from your coach")
            #expect(content["content"]["body"] == "Open the app to watch it.")
            #expect(try Self.elapsed(content) <= 1_000)
            let verdict = try #require(content["verdicts"]?.array?.first)
            #expect(verdict["reason"] == "budget-exceeded")
            let body = try #require(verdict["stages"]?.array?.last)
            #expect(body["name"] == "body")
            #expect(try #require(body["ms"]?.double) > 500)
            #expect(try !root.mediaFiles().contains { $0.contains("/media/") })
        }
    }

    @Test func `a response that is not an image is omitted, and the verdict has the reason and the UNError code`()
        async throws
    {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            for (path, reason, code) in [
                ("/no/such/photo.jpg", "http-status", nil), ("/page/photo-small.jpg", "unsupported-media", 101),
                ("/truncated.jpg", "corrupt-media", 105), ("/empty.jpg", "corrupt-media", 105),
                ("/ffconcat.mp4", "unsupported-media", 101), ("/hls.mp4", "unsupported-media", 101),
            ] as [(String, String, Int?)] {
                let (_, content) = try await Self.run(Self.twoMee([origin.baseURL + path]), root: root)
                #expect(content["reason"]?.string == reason, "\(path)")
                #expect(content["verdicts"]?.array?.first["unError"]?.integer == code, "\(path)")
            }
        }
    }

    @Test func `the verdict of a file from a plain-HTTP URL has a detail and no UNError code`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let (_, shown) = try await Self.run(Self.twoMee([origin.baseURL + "/photo-small.jpg"]), root: root)
            let verdict = try #require(shown["verdicts"]?.array?.first)
            #expect(verdict["result"] == "shown" && verdict["unError"] == .null)
            #expect(verdict["detail"]?.string?.contains("App Transport Security") == true)
            let yaml = try root.write("fetch: {schemes: [https]}\n", as: "appgroupd.yaml")
            // The first root has the file of this message already, so this run has another root.
            let (_, refused) = try await Self.run(
                Self.twoMee([origin.baseURL + "/photo-small.jpg"]), root: try TemporaryDirectory(), "--config", yaml)
            let omitted = try #require(refused["verdicts"]?.array?.first)
            #expect(omitted["reason"] == "forbidden-scheme" && omitted["unError"] == .null)
            #expect(omitted["detail"]?.string?.contains("NSURLError -1022") == true)
        }
    }

    @Test func `a loopback address is refused without a connection unless the configuration permits it`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let payload = Self.twoMee([origin.baseURL + "/photo-small.jpg"])
            let run = try await ProgramRun.appgroupd("process", "--root", root.path, "-", input: payload)
            #expect(run.status == 0)
            #expect(try #require(try run.contents.first)["reason"] == "forbidden-address")
            #expect(origin.counts.connectionsAccepted == 0)
        }
    }

    @Test func `a killed program leaves no connection and no file`() async throws {
        let root = try TemporaryDirectory()
        let streams = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = ["/stall/after/1000/coach/week3.mp4", "/drip/5s/photo-12mp.jpg"].map { origin.baseURL + $0 }
            let (process, ending) = try ProgramRun.start(
                ["process", "--root", root.path, "--allow-address", "127.0.0.0/8", "-"], input: Self.twoMee(urls),
                in: streams)
            await origin.waitUntil { $0.stallsReached == 1 && $0.requests == 2 }
            kill(process.processIdentifier, SIGKILL)
            await ending.wait()
            await origin.waitUntil { $0.connectionsOpen == 0 }
            #expect(try root.mediaFiles().isEmpty)
        }
    }

    private static func elapsed(_ content: JSONValue) throws -> Int {
        try #require(content["timing"]["elapsedMs"]?.integer)
    }
}
