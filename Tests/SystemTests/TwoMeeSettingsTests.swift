import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of the configuration's settings for 2mee, with the whole program.
@Suite(.timeLimit(.minutes(2))) struct TwoMeeSettingsTests {
    private static let settings = """
        publicURL: https://push.example.com
        push: {says: as-shown}
        permissions: {unknownNetwork: wifi}
        twomee:
          accept: Watch
          languages: {de: {accept: Ansehen, expiredText: Leider zu spät!}}
          images: aside
          dismissTime: none
          headPosition: center
          faceBackgroundColor: "#000000CC"
          sounds: {other: bell.aiff}
        """

    private func content(_ appear2mee: String, _ envelope: String = "") async throws -> JSONValue {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let directory = try TemporaryDirectory()
            let configuration = try directory.write(Self.settings, as: "appgroupd.yaml")
            let message = appear2mee.replacingOccurrences(of: "ORIGIN", with: origin.baseURL)
            let run = try await ProgramRun.appgroupd(
                "process", "--config", configuration, "--root", directory.path + "/root", "--allow-address",
                "127.0.0.0/8", "-",
                input: #"""
                    {\#(envelope)"payload":{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},
                     "appear2mee":{"id":"m","fbText":"F",\#(message)}}}
                    """#)
            return try #require(try run.contents.first)
        }
    }

    @Test func `a face has the configured presentation, and its titles are in the recipient's language`() async throws {
        let content = try await content(
            #""kind":"face","urls":["ORIGIN/video-1080p.mp4","ORIGIN/mask-alpha.png"]"#,
            #""locale":"de-AT","permissions":{"wifiOnly":true},"#)
        #expect(content["outcome"] == "rich")
        #expect(
            content["content"]["actions"]?.array?.map { $0["title"]?.string } == ["Ansehen", "Dismiss", "Play"])
        let presentation = content["details"]["presentation"]
        #expect(presentation["dismissTime"] == .null)
        #expect(presentation["headPosition"] == "center")
        #expect(presentation["backgroundColor"] == "#000000cc")
        let attachments = try #require(content["content"]["attachments"]?.array)
        #expect(attachments.map { $0["role"]?.string } == ["attachment", "mask"])
        #expect(attachments.map { $0["aside"]?.bool } == [false, true])
    }

    @Test func `an image has aside set, and a message without a kind has the configured sound`() async throws {
        let content = try await content(#""urls":["ORIGIN/photo-small.jpg"]"#)
        #expect(content["outcome"] == "rich")
        #expect(content["content"]["attachments"]?.array?.map { $0["aside"]?.bool } == [true])
        #expect(content["content"]["sound"]["name"] == "bell.aiff")
        #expect(content["content"]["actions"]?.array?.first?["title"] == "Watch")
    }

    @Test func `a forwarded push after the expiry has its text in the recipient's language`() async throws {
        let content = try await content(
            #""kind":"image","urls":["ORIGIN/photo-small.jpg"],"playTime":1000000000000,"expiry":1"#, #""locale":"de","#
        )
        #expect(content["outcome"] == "expired")
        #expect(content["push"]["payload"]["aps"]["alert"] == ["title": "T", "body": "Leider zu spät!"])
    }
}
