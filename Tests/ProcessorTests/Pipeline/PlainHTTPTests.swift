import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of media with plain-HTTP URLs. A phone does not fetch such media, and has no `UNError` code for this reason.
@Suite(.timeLimit(.minutes(1))) struct PlainHTTPTests {
    private static let blocked = "on a phone App Transport Security blocks plain http (NSURLError -1022): write https"

    private func verdict(
        _ url: String, failing failure: MediaFailure? = nil, profile: MediaProfile = .ios
    ) async throws -> JSONNode {
        let bench = PipelineBench(
            failure.map { [url: .failure($0)] } ?? [:], transcoder: FakeTranscoder(types: [url: "image/jpeg"]))
        let request = try bench.request(#"{"aps":{"alert":"B"},"media":[{"url":"\#(url)"}]}"#) { $0.profile = profile }
        let notification = try #require(try await bench.process(request).first)
        let violations = try DocumentedSchema.content().violations(of: notification.json)
        // The container is a fake, whose digests do not match the schema.
        #expect(violations.filter { !$0.description.contains("attachments") }.map(\.description) == [])
        return JSONNode(notification.json)["verdicts"][0]
    }

    @Test(arguments: ["http://a.example/1.jpg", "HTTP://a.example/1.jpg"])
    func `the verdict of a shown file from a plain-HTTP URL has a detail and no UNError code`(url: String) async throws
    {
        let verdict = try await verdict(url)
        #expect(verdict["result"].string == "shown" && verdict["reason"].value == .null)
        #expect(verdict["detail"].string == Self.blocked)
        #expect(verdict["unError"].value == .null)
    }

    @Test func `the verdict of a refused scheme has no UNError code for http, and has a code for another scheme`()
        async throws
    {
        let failure = MediaFailure(.forbiddenScheme, "only https are fetched")
        let http = try await verdict("http://a.example/1.jpg", failing: failure)
        #expect(http["reason"].string == "forbidden-scheme")
        #expect(http["detail"].string == "only https are fetched; " + Self.blocked)
        #expect(http["unError"].value == .null)
        let ftp = try await verdict("ftp://a.example/1.jpg", failing: failure)
        #expect(ftp["detail"].string == "only https are fetched")
        #expect(ftp["unError"].integer == 100)
    }

    @Test func `the verdict of any other failure has the UNError code and the detail of the failure`() async throws {
        let verdict = try await verdict("http://a.example/1.jpg", failing: MediaFailure(.corruptMedia, "it is cut off"))
        #expect(verdict["detail"].string == "it is cut off")
        #expect(verdict["unError"].integer == 105)
    }

    @Test func `the verdict has no plain-HTTP detail if the URL is https or the recipient is a browser`() async throws {
        #expect(try await verdict("https://a.example/1.jpg")["detail"].value == .null)
        let web = try await verdict("http://a.example/1.jpg", profile: .web)
        #expect(web["result"].string == "shown" && web["detail"].value == .null)
    }
}
